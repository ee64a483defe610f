// CGAL: box_self_intersection_d, a hybrid of streamed segment trees and scanning.
#define CGAL_LINKED_WITH_TBB
#include <CGAL/Box_intersection_d/Box_with_info_d.h>
#include <CGAL/box_intersection_d.h>

#include "libraries/boxes.hpp"
#include "libraries/library.hpp"
#include "libraries/pair_predicate.hpp"
#include "libraries/tbb_arena.hpp"

namespace abut {
namespace {

template <std::size_t D>
class Cgal : public Library<D> {
 public:
  explicit Cgal(unsigned threads) : arena_(threads) {}

  void find(const Spheres<D>& particles, std::vector<Pair>& pairs) override {
    Boxes<D> boxes(particles);
    const PairPredicate<D> predicate(particles);
    boxes_.clear();
    boxes_.reserve(particles.size());
    for (std::size_t i = 0; i < particles.size(); ++i) {
      Box<D> box = boxes.of(i);
      boxes_.emplace_back(box.min.data(), box.max.data(), static_cast<Index>(i));
    }
    const auto test = [&](const Bounds& a, const Bounds& b) {
      predicate.test(a.info(), b.info(), arena_.thread_result());
    };
    arena_.run(pairs, [&] {
      if (arena_.threads() == 1)
        intersect<CGAL::Sequential_tag>(test);
      else
        intersect<CGAL::Parallel_tag>(test);
    });
  }

  void reset() override { boxes_ = {}; }

 private:
  // Boxes are identified by numbers, not by addresses: the algorithm copies them, and pairs would
  // be lost when addresses change.
  using Bounds = CGAL::Box_intersection_d::Box_with_info_d<double, static_cast<int>(D), Index,
                                                           CGAL::Box_intersection_d::ID_EXPLICIT>;

  template <class Concurrency, class Test>
  void intersect(const Test& test) {
    constexpr std::ptrdiff_t cutoff = 3000;  // below it scanning is faster; tuned on these scenes
    CGAL::box_self_intersection_d<Concurrency>(boxes_.begin(), boxes_.end(), test, cutoff);
  }

  TbbArena arena_;
  std::vector<Bounds> boxes_;
};

}  // namespace

template <std::size_t D>
std::unique_ptr<Library<D>> make_cgal(unsigned threads) {
  return std::make_unique<Cgal<D>>(threads);
}
template std::unique_ptr<Library<2>> make_cgal(unsigned);
template std::unique_ptr<Library<3>> make_cgal(unsigned);

}  // namespace abut
