#include <abut/detector.hpp>
#include <algorithm>
#include <array>
#include <utility>

#include "broad/displacement_check.hpp"
#include "broad/periodic_pair_stream.hpp"
#include "broad/registry.hpp"
#include "broad/sphere_queries.hpp"
#include "core/input_checks.hpp"
#include "core/message.hpp"
#include "core/pair_buffer.hpp"
#include "core/system_info.hpp"

namespace abut {
namespace {

// What to take instead, the best first; brute force needs no memory and always fits.
constexpr std::array fallbacks{Method::engine, Method::nbs, Method::mr, Method::binary_tree,
                               Method::brute_force};

// A method whose structure would not fit is refused before it allocates, and the message names
// one that does.
template <std::size_t D>
void check_memory(const MethodEntry<D>& chosen, const SearchInput<D>& task, unsigned threads,
                  std::size_t limit) {
  const auto needs = [&](const MethodEntry<D>& method) {
    return method.bytes_needed(task, threads);
  };
  const auto fits = [&](const MethodEntry<D>& method) {
    return (method.supports_any_extent || task.grid.fits_int32()) &&
           needs(method) <= static_cast<double>(limit);
  };
  if (fits(chosen)) return;
  const auto numbered = [](Method method) -> const MethodEntry<D>& {
    return registry<D>()[static_cast<std::size_t>(method)];
  };
  const MethodEntry<D>& other = numbered(
      *std::ranges::find_if(fallbacks, [&](Method method) { return fits(numbered(method)); }));
  std::string cells;
  for (std::size_t k = 0; k < D; ++k)
    cells += message(k == 0 ? "" : " x ", static_cast<float>(task.grid.cell_count_real(k)));
  throw MemoryLimitError(message(
      chosen.info.name, " on ", cells, " cells would take ", format_bytes(needs(chosen)),
      needs(chosen) <= static_cast<double>(limit)
          ? " and cell numbers beyond 32 bits"
          : message(", more than the ", format_bytes(static_cast<double>(limit)), " allowed"),
      "; method ", other.info.name, " fits (", format_bytes(needs(other)), ")"));
}

template <std::size_t D>
DetectorOptions<D> checked(DetectorOptions<D> options) {
  check_options(options);
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
  State(DetectorOptions<D> options, std::shared_ptr<ThreadPool> threads)
      : options_(checked(std::move(options))),
        periodic_domain_(options_.domain, options_.periodic),
        method_(registry<D>()[static_cast<std::size_t>(options_.method)]),
        search_(method_.make()),
        pool_(threads ? std::move(threads) : std::make_shared<ThreadPool>(options_.threads)),
        requested_threads_(pool_->threads()) {}

  void update(const Spheres<D>& particles) {
    const SearchGuard nobody_else(searching_);
    clear_results();
    size_ = particles.size();
    const InputSummary<D> seen = summarize_input(particles, options_, pool_.get());
    if (options_.fixed_count > particles.size())
      throw Error(message("fixed = ", options_.fixed_count, ": there are only ", particles.size(),
                          " particles"));
    particles_ = particles;
    displacement_.store(particles, options_, seen.min_radius);
    if (particles.size() == 0) return;
    const SearchInput<D> task = periodic_domain_.any_periodic()
                                    ? periodic_input(particles)
                                    : make_search_input(particles, seen, options_);
    if (task.particles.size() == 1 && !task.periodic_domain.any_periodic())
      return;  // nothing to search
    choose_threads(task);
    check_memory(method_, task, pool_->threads(), options_.memory_limit);
    search_->prepare(task, *pool_, options_);
    input_ = task;
  }

  void for_each_batch(PairCallback drain, void* to) {
    const SearchGuard nobody_else(searching_);
    if (!periodic_domain_.any_periodic()) return search(drain, to);
    DropImages without(drain, to);
    search_periodic(DropImages::receive<D>, &without);
  }

  void for_each_batch(PeriodicPairCallback<D> drain, void* to) {
    const SearchGuard nobody_else(searching_);
    if (periodic_domain_.any_periodic()) return search_periodic(drain, to);
    AddZeroImages<D> with(drain, to);
    search(AddZeroImages<D>::receive, &with);
  }

  const std::vector<Pair>& pairs() {
    if (!pairs_valid_) sorter_.sort(found(), size_, pairs_);
    pairs_valid_ = true;
    return pairs_;
  }

  const std::vector<PeriodicPair<D>>& periodic_pairs() {
    if (periodic_pairs_valid_) return periodic_pairs_;
    periodic_pairs_.clear();
    if (periodic_domain_.any_periodic()) {
      const SearchGuard nobody_else(searching_);
      periodic_list_.clear();
      typename PeriodicPairList<D>::Receiver receiver{periodic_list_, ghosts_,
                                                      static_cast<Index>(options_.fixed_count)};
      search(PeriodicPairList<D>::Receiver::receive, &receiver);
      periodic_list_.sort(ghosts_, size_, periodic_pairs_);
    } else {
      for (const Pair pair : pairs()) periodic_pairs_.push_back({pair.a, pair.b, {}});
    }
    periodic_pairs_valid_ = true;
    return periodic_pairs_;
  }

  HalfNeighborList half_neighbor_list() {
    if (!half_list_valid_) PairSorter::sort(found(), size_, offsets_, neighbors_);
    half_list_valid_ = true;
    return {offsets_, neighbors_};
  }

  [[nodiscard]] bool needs_update(const Spheres<D>& particles) const {
    return displacement_.is_exceeded(particles, *pool_);
  }

  std::vector<Neighbor<D>> overlaps(const Point<D>& centre, double radius) {
    return ready_queries().overlaps(centre, radius, options_);
  }

  std::optional<Neighbor<D>> nearest(const Point<D>& point) {
    return ready_queries().nearest(point);
  }

  void reset() {
    const SearchGuard nobody_else(searching_);
    clear_results();
    search_->reset();
  }

  [[nodiscard]] std::string description() const { return search_->description(); }
  [[nodiscard]] DetectorStatistics statistics() const { return statistics_; }

 private:
  // All pairs as they came: searched for once after an update, for whoever asks first.
  const PairBuffer& found() {
    if (found_valid_) return found_pairs_;
    const SearchGuard nobody_else(searching_);
    found_pairs_.clear();
    DropImages without(PairBuffer::append_to, &found_pairs_);
    periodic_domain_.any_periodic() ? search_periodic(DropImages::receive<D>, &without)
                                    : search(PairBuffer::append_to, &found_pairs_);
    found_valid_ = true;
    return found_pairs_;
  }

  SphereQueries<D>& ready_queries() {
    if (!queries_.ready()) queries_.build(particles_, periodic_domain_);
    return queries_;
  }

  void clear_results() {
    queries_.reset();
    particles_ = {};
    found_valid_ = pairs_valid_ = half_list_valid_ = periodic_pairs_valid_ = false;
    input_ = {};
    size_ = 0;
    displacement_.reset();
  }

  // A method that does not look across faces itself is given images of what is near them.
  SearchInput<D> periodic_input(const Spheres<D>& particles) {
    ghosts_.wrap(particles, periodic_domain_, *pool_);
    const auto task = [&](const PeriodicDomain<D>& period) {
      const Spheres<D> all = ghosts_.particles();
      return make_search_input(all, summarize_input(all, options_, pool_.get()), options_, period);
    };
    if (method_.handles_periodic && NeighborImageIndex<D>::indices_fit(particles.size())) {
      const SearchInput<D> own = task(periodic_domain_);
      if (own.has_cells_in_every_period()) return own;
    }
    ghosts_.add_ghosts(options_, options_.memory_limit, *pool_);
    return task({});
  }

  void search(PairCallback drain, void* to) {
    statistics_ = {};
    if (input_.particles.size() == 0) return;
    PairSink sink(drain, to);
    statistics_ = search_->run(input_, *pool_, options_, sink);
    if (periodic_domain_.any_periodic()) statistics_.structure_bytes += ghosts_.bytes();
  }

  void search_periodic(PeriodicPairCallback<D> drain, void* to) {
    PeriodicPairStream<D> stream(ghosts_, static_cast<Index>(options_.fixed_count), drain, to);
    search(PeriodicPairStream<D>::receive, &stream);
  }

  // A visitor that asks its own detector for pairs would find the lists half used.
  class SearchGuard {
   public:
    explicit SearchGuard(bool& under_way) : is_searching_(under_way) {
      if (std::exchange(under_way, true))
        throw Error("this detector is searching already; a visitor cannot use it");
    }
    ~SearchGuard() { is_searching_ = false; }
    SearchGuard(const SearchGuard&) = delete;
    SearchGuard& operator=(const SearchGuard&) = delete;

   private:
    bool& is_searching_;
  };

  // Each thread may need lists of its own; where memory is short, fewer threads do.
  void choose_threads(const SearchInput<D>& task) {
    unsigned threads = requested_threads_;
    const auto bytes = [&] { return method_.bytes_needed(task, threads); };
    while (threads > 1 && bytes() > static_cast<double>(options_.memory_limit)) threads /= 2;
    if (threads != pool_->threads()) pool_ = std::make_shared<ThreadPool>(threads);
  }

  DetectorOptions<D> options_;
  PeriodicDomain<D> periodic_domain_;
  const MethodEntry<D>& method_;
  std::unique_ptr<Search<D>> search_;
  std::shared_ptr<ThreadPool> pool_;
  unsigned requested_threads_;
  bool searching_ = false;
  SearchInput<D> input_;
  std::size_t size_ = 0;  // also where the task has nothing to search
  PairBuffer found_pairs_;
  bool found_valid_ = false;
  std::vector<Pair> pairs_;
  bool pairs_valid_ = false;
  PairSorter sorter_;
  std::vector<std::uint64_t> offsets_;
  std::vector<Index> neighbors_;
  bool half_list_valid_ = false;
  GhostParticles<D> ghosts_;
  PeriodicPairList<D> periodic_list_;
  std::vector<PeriodicPair<D>> periodic_pairs_;
  bool periodic_pairs_valid_ = false;
  DisplacementCheck<D> displacement_;
  Spheres<D> particles_;
  SphereQueries<D> queries_;
  DetectorStatistics statistics_;
};

template <std::size_t D>
Detector<D>::Detector(DetectorOptions<D> options) : Detector(std::move(options), nullptr) {}
template <std::size_t D>
Detector<D>::Detector(DetectorOptions<D> options, std::shared_ptr<ThreadPool> threads)
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
void Detector<D>::for_each_batch(PairCallback drain, void* to) {
  state_->for_each_batch(drain, to);
}
template <std::size_t D>
void Detector<D>::for_each_batch(PeriodicPairCallback<D> drain, void* to) {
  state_->for_each_batch(drain, to);
}
template <std::size_t D>
bool Detector<D>::needs_update(const Spheres<D>& particles) const {
  return state_->needs_update(particles);
}
template <std::size_t D>
HalfNeighborList Detector<D>::half_neighbor_list() {
  return state_->half_neighbor_list();
}
template <std::size_t D>
std::vector<Neighbor<D>> Detector<D>::overlaps(const Point<D>& centre, double radius) {
  return state_->overlaps(centre, radius);
}
template <std::size_t D>
std::optional<Neighbor<D>> Detector<D>::nearest(const Point<D>& point) {
  return state_->nearest(point);
}
template <std::size_t D>
void Detector<D>::reset() {
  state_->reset();
}
template <std::size_t D>
std::string Detector<D>::description() const {
  return state_->description();
}
template <std::size_t D>
DetectorStatistics Detector<D>::statistics() const {
  return state_->statistics();
}

template <std::size_t D>
std::vector<Pair> find_contacts(const Spheres<D>& particles,
                                const std::type_identity_t<DetectorOptions<D>>& options) {
  Detector<D> search(options);
  search.update(particles);
  PairBuffer found;
  search.for_each_batch(PairBuffer::append_to, &found);
  std::vector<Pair> pairs;
  PairSorter().sort(found, particles.size(), pairs);
  return pairs;
}

template <std::size_t D>
std::vector<PeriodicPair<D>> find_periodic_contacts(
    const Spheres<D>& particles, const std::type_identity_t<DetectorOptions<D>>& options) {
  Detector<D> search(options);
  search.update(particles);
  return search.periodic_pairs();
}

template class Detector<2>;
template class Detector<3>;
template std::vector<Pair> find_contacts<2>(const Spheres<2>&, const DetectorOptions<2>&);
template std::vector<Pair> find_contacts<3>(const Spheres<3>&, const DetectorOptions<3>&);
template std::vector<PeriodicPair<2>> find_periodic_contacts<2>(const Spheres<2>&,
                                                                const DetectorOptions<2>&);
template std::vector<PeriodicPair<3>> find_periodic_contacts<3>(const Spheres<3>&,
                                                                const DetectorOptions<3>&);

}  // namespace abut
