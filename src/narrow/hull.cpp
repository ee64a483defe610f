// The convex hull of points by Qhull, the library of the authors of the quickhull algorithm
// (Barber, Dobkin, Huhdanpaa: The quickhull algorithm for convex hulls, ACM TOMS 22, 1996). It
// merges facets that are coplanar up to its estimate of rounding errors. O(n log n).
#include <abut/error.hpp>
#include <array>
#include <cstdio>
#include <memory>

#include "core/message.hpp"
#include "narrow/polyhedron_topology.hpp"

#if ABUT_HAS_QHULL

extern "C" {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"
#pragma GCC diagnostic ignored "-Wconversion"
#include <libqhull_r/qhull_ra.h>
#pragma GCC diagnostic pop
}

namespace abut {
namespace {

struct FileCloser {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

// One run of Qhull, whose output is discarded.
class QhullRun {
 public:
  explicit QhullRun(std::span<const Point<3>> points)
      : coordinates_(points.size() * 3), null_output_(std::fopen("/dev/null", "w")) {
    for (std::size_t i = 0; i < points.size(); ++i)
      for (std::size_t k = 0; k < 3; ++k) coordinates_[3 * i + k] = points[i][k];
    if (!null_output_) throw Error("cannot open /dev/null for the output of Qhull", ErrorCode::io);
    qh_zero(&qh_, null_output_.get());
    std::array<char, 16> command{"qhull Pp"};
    status_ = qh_new_qhull(&qh_, 3, static_cast<int>(points.size()), coordinates_.data(), False,
                           command.data(), nullptr, null_output_.get());
  }
  QhullRun(const QhullRun&) = delete;
  QhullRun& operator=(const QhullRun&) = delete;
  ~QhullRun() {
    qh_.NOerrexit = True;
    qh_freeqhull(&qh_, False);  // long memory; short memory is freed below
    int long_blocks = 0;
    int long_bytes = 0;
    qh_memfreeshort(&qh_, &long_blocks, &long_bytes);
  }

  [[nodiscard]] int status() const { return status_; }

  FaceLoops faces() {
    FaceLoops all;
    for (const facetT* facet = qh_.facet_list; facet != nullptr && facet->next != nullptr;
         facet = facet->next)
      all.push_back(facet_vertices(const_cast<facetT*>(facet)));
    return all;
  }

 private:
  std::vector<Index> facet_vertices(facetT* facet) {
    setT* vertices = qh_facet3vertex(&qh_, facet);
    std::vector<Index> result;
    const int count = qh_setsize(&qh_, vertices);
    for (int i = count - 1; i >= 0; --i) {  // Qhull orders them clockwise
      const auto* vertex = static_cast<const vertexT*>(vertices->e[i].p);
      result.push_back(static_cast<Index>(qh_pointid(&qh_, vertex->point)));
    }
    qh_settempfree(&qh_, &vertices);
    return result;
  }

  std::vector<double> coordinates_;
  std::unique_ptr<std::FILE, FileCloser> null_output_;
  qhT qh_{};
  int status_ = 0;
};

}  // namespace

bool has_convex_hull() { return true; }

FaceLoops convex_hull(std::span<const Point<3>> points) {
  QhullRun run(points);
  if (run.status() == qh_ERRsingular || run.status() == qh_ERRprec)
    throw Error(
        message("all ", points.size(), " points are coplanar; a polyhedron needs a volume"));
  if (run.status() != 0)
    throw Error(message("Qhull failed on ", points.size(), " points with status ", run.status()));
  return run.faces();
}

}  // namespace abut

#else

namespace abut {

bool has_convex_hull() { return false; }

FaceLoops convex_hull(std::span<const Point<3>> /*points*/) {
  throw Error(
      "convex hulls of points need Qhull, and this build of abut has none; rebuild with Qhull "
      "(-DABUT_QHULL=ON) or give a closed convex mesh",
      ErrorCode::unsupported);
}

}  // namespace abut

#endif
