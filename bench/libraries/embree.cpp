// Embree: rtcCollide of a scene of user geometry with itself. Single precision: boxes are rounded
// outward.
#include <embree3/rtcore.h>

#include "libraries/boxes.hpp"
#include "libraries/library.hpp"
#include "libraries/pair_predicate.hpp"
#include "libraries/tbb_arena.hpp"

namespace abut {
namespace {

template <auto Release>
struct Releaser {
  template <class Handle>
  void operator()(Handle* handle) const {
    Release(handle);
  }
};
using Device = std::unique_ptr<RTCDeviceTy, Releaser<rtcReleaseDevice>>;
using Geometry = std::unique_ptr<RTCGeometryTy, Releaser<rtcReleaseGeometry>>;
using RayScene = std::unique_ptr<RTCSceneTy, Releaser<rtcReleaseScene>>;

template <std::size_t D>
void bounds_of(const RTCBoundsFunctionArguments* arguments) {
  const auto& boxes = *static_cast<const Boxes<D>*>(arguments->geometryUserPtr);
  const FloatBox box = rounded_outward(boxes.of(arguments->primID));
  RTCBounds& bounds = *arguments->bounds_o;
  bounds.lower_x = box.min[0];
  bounds.lower_y = box.min[1];
  bounds.lower_z = box.min[2];
  bounds.upper_x = box.max[0];
  bounds.upper_y = box.max[1];
  bounds.upper_z = box.max[2];
}

template <std::size_t D>
struct Collisions {
  TbbArena& arena;
  PairPredicate<D> predicate;
};

// Called by several threads, with every pair in both orders and every particle with itself.
template <std::size_t D>
void test(void* data, RTCCollision* collisions, unsigned int count) {
  auto& [arena, predicate] = *static_cast<Collisions<D>*>(data);
  std::vector<Pair>& pairs = arena.thread_result();
  for (unsigned int i = 0; i < count; ++i)
    if (collisions[i].primID0 < collisions[i].primID1)
      predicate.test(collisions[i].primID0, collisions[i].primID1, pairs);
}

template <std::size_t D>
class Embree : public Library<D> {
 public:
  explicit Embree(unsigned threads)
      : arena_(threads), device_(rtcNewDevice(message("threads=", arena_.threads()).c_str())) {
    if (!device_) throw UnsupportedInput("embree does not support this machine");
  }

  void find(const Spheres<D>& particles, std::vector<Pair>& pairs) override {
    reset();
    check_single_precision("embree", particles);
    Boxes<D> boxes(particles);
    Collisions<D> collisions{arena_, PairPredicate<D>(particles)};
    arena_.run(pairs, [&] {
      if (particles.size() == 0) return;
      build(particles.size(), boxes);
      rtcCollide(scene_.get(), scene_.get(), test<D>, &collisions);
    });
    if (const RTCError error = rtcGetDeviceError(device_.get()); error != RTC_ERROR_NONE)
      throw UnsupportedInput(message("embree failed with error ", static_cast<int>(error)));
  }

  void reset() override { scene_.reset(); }

 private:
  void build(std::size_t particles, Boxes<D>& boxes) {
    scene_.reset(rtcNewScene(device_.get()));
    const Geometry geometry(rtcNewGeometry(device_.get(), RTC_GEOMETRY_TYPE_USER));
    rtcSetGeometryUserPrimitiveCount(geometry.get(), static_cast<unsigned>(particles));
    rtcSetGeometryUserData(geometry.get(), &boxes);
    rtcSetGeometryBoundsFunction(geometry.get(), bounds_of<D>, nullptr);
    rtcCommitGeometry(geometry.get());
    rtcAttachGeometry(scene_.get(), geometry.get());
    rtcSetSceneBuildQuality(scene_.get(), RTC_BUILD_QUALITY_MEDIUM);
    rtcJoinCommitScene(scene_.get());
  }

  TbbArena arena_;
  Device device_;
  RayScene scene_;
};

}  // namespace

template <std::size_t D>
std::unique_ptr<Library<D>> make_embree(unsigned threads) {
  return std::make_unique<Embree<D>>(threads);
}
template std::unique_ptr<Library<2>> make_embree(unsigned);
template std::unique_ptr<Library<3>> make_embree(unsigned);

}  // namespace abut
