#include <abut/detector.hpp>
#include <algorithm>
#include <array>
#include <utility>

#include "broad/particle_queries.hpp"
#include "broad/periodic_stream.hpp"
#include "broad/registry.hpp"
#include "broad/used_margin.hpp"
#include "core/memory.hpp"
#include "core/message.hpp"
#include "core/sort_pairs.hpp"
#include "core/survey.hpp"

namespace abut {
namespace {

// What to take instead, the best first; brute force needs no memory and always fits.
constexpr std::array remedies{Method::engine, Method::nbs, Method::mr, Method::binary_tree,
                              Method::brute_force};

// A method whose structure would not fit is refused before it allocates, and the message names
// one that does.
template <std::size_t D>
void check_memory(const Registered<D>& chosen, const Task<D>& task, unsigned threads,
                  std::size_t limit) {
  const auto needs = [&](const Registered<D>& method) {
    return method.bytes_needed(task, threads);
  };
  const auto fits = [&](const Registered<D>& method) {
    return (method.any_extent || task.grid.fits()) && needs(method) <= static_cast<double>(limit);
  };
  if (fits(chosen)) return;
  const auto numbered = [](Method method) -> const Registered<D>& {
    return registry<D>()[static_cast<std::size_t>(method)];
  };
  const Registered<D>& other = numbered(
      *std::ranges::find_if(remedies, [&](Method method) { return fits(numbered(method)); }));
  std::string cells;
  for (std::size_t k = 0; k < D; ++k)
    cells += message(k == 0 ? "" : " x ", static_cast<float>(task.grid.real_cells(k)));
  throw MemoryRefused(message(
      chosen.info.name, " on ", cells, " cells would take ", human_bytes(needs(chosen)),
      needs(chosen) <= static_cast<double>(limit)
          ? " and cell numbers beyond 32 bits"
          : message(", more than the ", human_bytes(static_cast<double>(limit)), " allowed"),
      "; method ", other.info.name, " fits (", human_bytes(needs(other)), ")"));
}

template <std::size_t D>
Options<D> checked(Options<D> options) {
  check(options);
  if (static_cast<std::size_t>(options.method) >= registry<D>().size())
    throw Error(
        message("method ", static_cast<int>(options.method), ": there is none of that number"));
  if (options.memory_limit == 0) options.memory_limit = physical_memory() / 4 * 3;
  return options;
}

}  // namespace

template <std::size_t D>
class Detector<D>::State {
 public:
  State(Options<D> options, std::shared_ptr<ThreadPool> threads)
      : options_(checked(std::move(options))),
        period_(options_.domain, options_.periodic),
        method_(registry<D>()[static_cast<std::size_t>(options_.method)]),
        search_(method_.make()),
        pool_(threads ? std::move(threads) : std::make_shared<ThreadPool>(options_.threads)),
        wanted_threads_(pool_->threads()) {}

  void update(const Spheres<D>& particles) {
    const Searching nobody_else(searching_);
    start_anew();
    size_ = particles.size();
    const Survey<D> seen = survey(particles, options_, pool_.get());
    if (options_.fixed > particles.size())
      throw Error(
          message("fixed = ", options_.fixed, ": there are only ", particles.size(), " particles"));
    given_ = particles;
    margin_.remember(particles, options_, seen.smallest_radius);
    if (particles.size() == 0) return;
    const Task<D> task =
        period_.any() ? periodic_task(particles) : make_task(particles, seen, options_);
    if (task.particles.size() == 1 && !task.period.any()) return;  // nothing to search
    choose_threads(task);
    check_memory(method_, task, pool_->threads(), options_.memory_limit);
    search_->prepare(task, *pool_, options_);
    task_ = task;
  }

  void stream(PairDrain drain, void* to) {
    const Searching nobody_else(searching_);
    if (!period_.any()) return search(drain, to);
    WithoutImages without(drain, to);
    search_periodic(WithoutImages::receive<D>, &without);
  }

  void stream(PeriodicDrain<D> drain, void* to) {
    const Searching nobody_else(searching_);
    if (period_.any()) return search_periodic(drain, to);
    WithZeroImages<D> with(drain, to);
    search(WithZeroImages<D>::receive, &with);
  }

  const std::vector<Pair>& pairs() {
    if (!sorted_) sorter_.sort(found(), size_, pairs_);
    sorted_ = true;
    return pairs_;
  }

  const std::vector<PeriodicPair<D>>& periodic_pairs() {
    if (periodic_sorted_) return periodic_pairs_;
    periodic_pairs_.clear();
    if (period_.any()) {
      const Searching nobody_else(searching_);
      periodic_list_.clear();
      typename PeriodicList<D>::Receiver receiver{periodic_list_, periodic_,
                                                  static_cast<Index>(options_.fixed)};
      search(PeriodicList<D>::Receiver::receive, &receiver);
      periodic_list_.sort(periodic_, size_, periodic_pairs_);
    } else {
      for (const Pair pair : pairs()) periodic_pairs_.push_back({pair.a, pair.b, {}});
    }
    periodic_sorted_ = true;
    return periodic_pairs_;
  }

  HalfList half_list() {
    if (!listed_) PairSorter::sort(found(), size_, first_, partners_);
    listed_ = true;
    return {first_, partners_};
  }

  [[nodiscard]] bool needs_update(const Spheres<D>& particles) const {
    return margin_.is_used_up(particles, *pool_);
  }

  std::vector<Neighbour<D>> overlaps(const Point<D>& centre, double radius) {
    return looked_up().overlaps(centre, radius, options_);
  }

  std::optional<Neighbour<D>> nearest(const Point<D>& point) { return looked_up().nearest(point); }

  void forget() {
    const Searching nobody_else(searching_);
    start_anew();
    search_->forget();
  }

  [[nodiscard]] std::string reason() const { return search_->reason(); }
  [[nodiscard]] Statistics statistics() const { return statistics_; }

 private:
  // All pairs as they came: searched for once after an update, for whoever asks first.
  const PairBlocks& found() {
    if (found_) return found_blocks_;
    const Searching nobody_else(searching_);
    found_blocks_.clear();
    WithoutImages without(PairBlocks::drain, &found_blocks_);
    period_.any() ? search_periodic(WithoutImages::receive<D>, &without)
                  : search(PairBlocks::drain, &found_blocks_);
    found_ = true;
    return found_blocks_;
  }

  ParticleQueries<D>& looked_up() {
    if (!queries_.ready()) queries_.take(given_, period_);
    return queries_;
  }

  void start_anew() {
    queries_.forget();
    given_ = {};
    found_ = sorted_ = listed_ = periodic_sorted_ = false;
    task_ = {};
    size_ = 0;
    margin_.forget();
  }

  // A method that does not look across faces itself is given images of what is near them.
  Task<D> periodic_task(const Spheres<D>& particles) {
    periodic_.bring_back(particles, period_, *pool_);
    const auto task = [&](const Period<D>& period) {
      const Spheres<D> all = periodic_.particles();
      return make_task(all, survey(all, options_, pool_.get()), options_, period);
    };
    if (method_.looks_across_faces && NeighbourImages<D>::have_numbers(particles.size())) {
      const Task<D> own = task(period_);
      if (own.has_cell_in_each_period()) return own;
    }
    periodic_.add_images(options_, options_.memory_limit, *pool_);
    return task({});
  }

  void search(PairDrain drain, void* to) {
    statistics_ = {};
    if (task_.particles.size() == 0) return;
    PairSink sink(drain, to);
    statistics_ = search_->run(task_, *pool_, options_, sink);
    if (period_.any()) statistics_.structure_bytes += periodic_.bytes();
  }

  void search_periodic(PeriodicDrain<D> drain, void* to) {
    PeriodicStream<D> stream(periodic_, static_cast<Index>(options_.fixed), drain, to);
    search(PeriodicStream<D>::receive, &stream);
  }

  // A visitor that asks its own detector for pairs would find the lists half used.
  class Searching {
   public:
    explicit Searching(bool& under_way) : under_way_(under_way) {
      if (std::exchange(under_way, true))
        throw Error("this detector is searching already; a visitor cannot use it");
    }
    ~Searching() { under_way_ = false; }
    Searching(const Searching&) = delete;
    Searching& operator=(const Searching&) = delete;

   private:
    bool& under_way_;
  };

  // Each thread may need lists of its own; where memory is short, fewer threads do.
  void choose_threads(const Task<D>& task) {
    unsigned threads = wanted_threads_;
    const auto bytes = [&] { return method_.bytes_needed(task, threads); };
    while (threads > 1 && bytes() > static_cast<double>(options_.memory_limit)) threads /= 2;
    if (threads != pool_->threads()) pool_ = std::make_shared<ThreadPool>(threads);
  }

  Options<D> options_;
  Period<D> period_;
  const Registered<D>& method_;
  std::unique_ptr<Search<D>> search_;
  std::shared_ptr<ThreadPool> pool_;
  unsigned wanted_threads_;
  bool searching_ = false;
  Task<D> task_;
  std::size_t size_ = 0;  // also where the task has nothing to search
  PairBlocks found_blocks_;
  bool found_ = false;
  std::vector<Pair> pairs_;
  bool sorted_ = false;
  PairSorter sorter_;
  std::vector<std::uint64_t> first_;
  std::vector<Index> partners_;
  bool listed_ = false;
  PeriodicParticles<D> periodic_;
  PeriodicList<D> periodic_list_;
  std::vector<PeriodicPair<D>> periodic_pairs_;
  bool periodic_sorted_ = false;
  UsedMargin<D> margin_;
  Spheres<D> given_;
  ParticleQueries<D> queries_;
  Statistics statistics_;
};

template <std::size_t D>
Detector<D>::Detector(Options<D> options) : Detector(std::move(options), nullptr) {}
template <std::size_t D>
Detector<D>::Detector(Options<D> options, std::shared_ptr<ThreadPool> threads)
    : state_(std::make_unique<State>(std::move(options), std::move(threads))) {}
template <std::size_t D>
Detector<D>::~Detector() = default;
template <std::size_t D>
Detector<D>::Detector(Detector&&) noexcept = default;
template <std::size_t D>
Detector<D>& Detector<D>::operator=(Detector&&) noexcept = default;

template <std::size_t D>
void Detector<D>::update(const Spheres<D>& particles) {
  state_->update(particles);
}
template <std::size_t D>
const std::vector<Pair>& Detector<D>::pairs() {
  return state_->pairs();
}
template <std::size_t D>
const std::vector<PeriodicPair<D>>& Detector<D>::periodic_pairs() {
  return state_->periodic_pairs();
}
template <std::size_t D>
void Detector<D>::stream(PairDrain drain, void* to) {
  state_->stream(drain, to);
}
template <std::size_t D>
void Detector<D>::stream(PeriodicDrain<D> drain, void* to) {
  state_->stream(drain, to);
}
template <std::size_t D>
bool Detector<D>::needs_update(const Spheres<D>& particles) const {
  return state_->needs_update(particles);
}
template <std::size_t D>
HalfList Detector<D>::half_list() {
  return state_->half_list();
}
template <std::size_t D>
std::vector<Neighbour<D>> Detector<D>::overlaps(const Point<D>& centre, double radius) {
  return state_->overlaps(centre, radius);
}
template <std::size_t D>
std::optional<Neighbour<D>> Detector<D>::nearest(const Point<D>& point) {
  return state_->nearest(point);
}
template <std::size_t D>
void Detector<D>::forget() {
  state_->forget();
}
template <std::size_t D>
std::string Detector<D>::reason() const {
  return state_->reason();
}
template <std::size_t D>
Statistics Detector<D>::statistics() const {
  return state_->statistics();
}

template <std::size_t D>
std::vector<Pair> find_contacts(const Spheres<D>& particles,
                                const std::type_identity_t<Options<D>>& options) {
  Detector<D> search(options);
  search.update(particles);
  PairBlocks found;
  search.stream(PairBlocks::drain, &found);
  std::vector<Pair> pairs;
  PairSorter().sort(found, particles.size(), pairs);
  return pairs;
}

template <std::size_t D>
std::vector<PeriodicPair<D>> find_periodic_contacts(
    const Spheres<D>& particles, const std::type_identity_t<Options<D>>& options) {
  Detector<D> search(options);
  search.update(particles);
  return search.periodic_pairs();
}

template class Detector<2>;
template class Detector<3>;
template std::vector<Pair> find_contacts<2>(const Spheres<2>&, const Options<2>&);
template std::vector<Pair> find_contacts<3>(const Spheres<3>&, const Options<3>&);
template std::vector<PeriodicPair<2>> find_periodic_contacts<2>(const Spheres<2>&,
                                                                const Options<2>&);
template std::vector<PeriodicPair<3>> find_periodic_contacts<3>(const Spheres<3>&,
                                                                const Options<3>&);

}  // namespace abut
