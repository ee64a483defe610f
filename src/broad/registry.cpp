#include "broad/registry.hpp"

#include <abut/error.hpp>
#include <algorithm>
#include <array>
#include <chrono>
#include <string>

#include "broad/binary_tree.hpp"
#include "broad/brute_force.hpp"
#include "broad/cgrid.hpp"
#include "broad/direct_mapping.hpp"
#include "broad/fixed_cubes.hpp"
#include "broad/nbs.hpp"
#include "broad/screening.hpp"
#include "broad/sorting.hpp"

namespace abut {
namespace {

template <std::size_t D, class Published>
class Adapter final : public Search<D> {
 public:
  Statistics run(const Task<D>& task, ThreadPool& pool, const Options<D>& options,
                 PairSink& sink) override {
    return options.count ? sweep<true>(task, pool, options, sink)
                         : sweep<false>(task, pool, options, sink);
  }

 private:
  template <bool Counting>
  Statistics sweep(const Task<D>& task, ThreadPool& pool, const Options<D>& options,
                   PairSink& sink) {
    using Clock = std::chrono::steady_clock;
    Sweep<D, Counting> sweep(task.reach, task.fixed, pool, sink, options.progress);
    const auto begin = Clock::now();
    method_.prepare(task, sweep);
    const auto prepared = Clock::now();
    method_.search(task, sweep);
    sink.hand_on();
    const std::chrono::duration<double> sorting = prepared - begin;
    const std::chrono::duration<double> searching = Clock::now() - prepared;
    const Counts counts = sweep.counts();
    return {.candidates = counts.candidates,
            .examinations = counts.examinations,
            .list_moves = counts.list_moves,
            .structure_bytes = method_.bytes(),
            .sorting_seconds = sorting.count(),
            .searching_seconds = searching.count()};
  }

  Published method_;
};

template <std::size_t D, class Published>
constexpr Registered<D> entry() {
  return {Published::info,
          []() -> std::unique_ptr<Search<D>> { return std::make_unique<Adapter<D, Published>>(); },
          &Published::bytes_needed};
}

// The only place that names them all. A new method is a line here, its name in `Method`, its file.
template <std::size_t D>
constexpr std::array table{
    entry<D, BruteForce<D>>(), entry<D, BinaryTree<D>>(), entry<D, DirectMapping<D>>(),
    entry<D, Screening<D>>(),  entry<D, Sorting<D>>(),    entry<D, Nbs<D>>(),
    entry<D, CGrid<D>>(),      entry<D, FixedCubes<D>>(),
};

constexpr bool in_order_of_enumeration() {
  for (std::size_t i = 0; i < table<3>.size(); ++i)
    if (table<3>[i].info.method != static_cast<Method>(i)) return false;
  return true;
}
static_assert(in_order_of_enumeration());

constexpr auto infos = [] {
  std::array<MethodInfo, table<3>.size()> all{};
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = table<3>[i].info;
  return all;
}();

}  // namespace

template <std::size_t D>
std::span<const Registered<D>> registry() {
  return table<D>;
}

template std::span<const Registered<2>> registry<2>();
template std::span<const Registered<3>> registry<3>();

std::span<const MethodInfo> methods() { return infos; }

const MethodInfo& info(Method method) { return infos[static_cast<std::size_t>(method)]; }

std::optional<Method> method_named(std::string_view name_or_number) {
  std::string name(name_or_number);
  std::ranges::replace(name, '-', '_');
  for (const MethodInfo& known : infos)
    if (name == known.name || (known.number > 0 && name == std::to_string(known.number)))
      return known.method;
  return {};
}

}  // namespace abut
