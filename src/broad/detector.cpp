#include <abut/detector.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "broad/displacement_check.hpp"
#include "broad/pair_streams.hpp"
#include "broad/search_method.hpp"
#include "broad/sphere_queries.hpp"
#include "core/buffers.hpp"
#include "core/input_checks.hpp"
#include "core/machine.hpp"
#include "core/message.hpp"

namespace abut {
namespace {

// Methods to recommend when the chosen one exceeds the memory limit, the best first. Brute force
// needs no memory and always fits.
constexpr std::array fallbacks{Method::engine, Method::nbs, Method::mr, Method::binary_tree,
                               Method::brute_force};

// Throws before anything is allocated if the method's structure would exceed the limit; the message
// names a method that fits.
template <std::size_t D>
void check_memory(const MethodEntry<D>& chosen, const SearchInput<D>& input, unsigned threads,
                  std::size_t limit) {
  const auto needs = [&](const MethodEntry<D>& method) {
    return method.bytes_needed(input, threads);
  };
  const auto is_within_limit = [&](const MethodEntry<D>& method) {
    return needs(method) <= static_cast<double>(limit);
  };
  const auto fits = [&](const MethodEntry<D>& method) {
    return (method.supports_any_extent || method.own_grid != nullptr || input.grid.fits_int32()) &&
           is_within_limit(method);
  };
  if (fits(chosen)) return;
  const auto entry = [](Method method) -> const MethodEntry<D>& {
    return registry<D>()[static_cast<std::size_t>(method)];
  };
  const MethodEntry<D>& other =
      entry(*std::ranges::find_if(fallbacks, [&](Method method) { return fits(entry(method)); }));
  const Grid<D> grid = chosen.own_grid != nullptr ? chosen.own_grid(input) : input.grid;
  std::string cells;
  for (std::size_t k = 0; k < D; ++k)
    cells += message(k == 0 ? "" : " x ", static_cast<float>(grid.cell_count_real(k)));
  const double bytes = needs(chosen);
  const std::string needed = std::isinf(bytes) ? "cell numbers beyond 32 bits"
                             : is_within_limit(chosen)
                                 ? format_bytes(bytes) + " and cell numbers beyond 32 bits"
                                 : message(format_bytes(bytes), ", more than the ",
                                           format_bytes(static_cast<double>(limit)), " allowed");
  throw MemoryLimitError(message(chosen.info.name, " on ", cells, " cells would take ", needed,
                                 "; method ", other.info.name, " fits (",
                                 format_bytes(needs(other)), ")"));
}

template <std::size_t D>
DetectorOptions<D> checked(DetectorOptions<D> options) {
  check_options(options);
  (void)method_info(options.method);  // throws for an unknown method
  if (options.memory_limit == 0) options.memory_limit = physical_memory() / 4 * 3;
  return options;
}

}  // namespace

template <std::size_t D>
class Detector<D>::State {
 public:
  explicit State(DetectorOptions<D> options)
      : options_(checked(std::move(options))),
        periodic_domain_(options_.domain, options_.periodic),
        is_periodic_(periodic_domain_.any_periodic()),
        method_(registry<D>()[static_cast<std::size_t>(options_.method)]),
        search_(method_.make()),
        pool_(options_.threads),
        requested_threads_(pool_.threads()) {}

  void update(const Spheres<D>& given) {
    const SearchGuard guard(searching_);
    clear_results();
    const Spheres<D> particles = contiguous_.view(given);
    size_ = particles.size();
    const InputSummary<D> summary = summarize_input(particles, options_, &pool_);
    if (options_.fixed_count > particles.size())
      throw Error(message("fixed_count = ", options_.fixed_count, ": there are only ",
                          particles.size(), " particles"));
    particles_ = particles;
    displacement_.store(particles, options_, summary);
    if (particles.size() == 0) return;
    const SearchInput<D> input =
        is_periodic_ ? periodic_input(particles) : make_search_input(particles, summary, options_);
    if (input.particles.size() == 1 && !input.periodic_domain.any_periodic())
      return;  // nothing to search
    choose_threads(input);
    check_memory(method_, input, pool_.threads(), options_.memory_limit);
    search_->prepare(input, pool_, options_);
    input_ = input;
  }

  void for_each_batch(PairCallback callback, void* context) {
    const SearchGuard guard(searching_);
    if (!is_periodic_) return search(callback, context);
    DropImages stream(callback, context);
    search_periodic(DropImages::receive<D>, &stream);
  }

  void for_each_batch(PeriodicPairCallback<D> callback, void* context) {
    const SearchGuard guard(searching_);
    if (is_periodic_) return search_periodic(callback, context);
    AddZeroImages<D> stream(callback, context);
    search(AddZeroImages<D>::receive, &stream);
  }

  void for_each_batch(PairCallback inside, PeriodicPairCallback<D> across, void* context) {
    const SearchGuard guard(searching_);
    if (!is_periodic_) return search(inside, context);
    SplitPairStream<D> stream(ghosts_, static_cast<Index>(options_.fixed_count), inside, across,
                              context);
    search(SplitPairStream<D>::receive, &stream);
  }

  void for_each_batch(ContactCallback<D> callback, void* context) {
    const SearchGuard guard(searching_);
    const PairGeometry<D> geometry = contact_geometry();
    ContactStream<D> stream(geometry, callback, context);
    if (is_periodic_)
      search_periodic(ContactStream<D>::template receive<PeriodicPair<D>>, &stream);
    else
      search(ContactStream<D>::template receive<Pair>, &stream);
  }

  const std::vector<Pair>& pairs() {
    if (!pairs_valid_) sorter_.sort(found(), size_, pairs_);
    pairs_valid_ = true;
    return pairs_;
  }

  const std::vector<PeriodicPair<D>>& periodic_pairs() {
    if (periodic_pairs_valid_) return periodic_pairs_;
    periodic_pairs_.clear();
    if (is_periodic_) {
      const SearchGuard guard(searching_);
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

  const std::vector<Contact<D>>& contacts() {
    if (contacts_valid_) return contacts_;
    for_sorted_pairs([&](auto pairs, const PairGeometry<D>& geometry) {
      contacts_.resize(pairs.size());
      const Chunks chunks(pairs.size());
      pool_.run(chunks.size(), [&](std::size_t chunk, unsigned) {
        for (std::size_t i = chunks.first(chunk); i < chunks.last(chunk); ++i)
          contacts_[i] = geometry(pairs[i]);
      });
    });
    contacts_valid_ = true;
    return contacts_;
  }

  ContactArrays<D> contact_arrays() {
    if (!contact_columns_valid_)
      for_sorted_pairs([&](auto pairs, const PairGeometry<D>& geometry) {
        contact_columns_.assign(pairs, geometry, pool_);
      });
    contact_columns_valid_ = true;
    return contact_columns_.view();
  }

  HalfNeighborList half_neighbor_list() {
    if (!half_list_valid_) PairSorter::sort(found(), size_, offsets_, neighbors_);
    half_list_valid_ = true;
    return {offsets_, neighbors_};
  }

  [[nodiscard]] bool needs_update(const Spheres<D>& particles) {
    if (particles.is_contiguous()) return displacement_.is_exceeded(particles, pool_);
    ContiguousSpheres<D> contiguous;
    return displacement_.is_exceeded(contiguous.view(particles), pool_);
  }

  std::vector<Neighbor<D>> overlaps(const Point<D>& center, double radius) {
    return ready_queries().overlaps(center, radius, options_);
  }

  std::optional<Neighbor<D>> nearest(const Point<D>& point) {
    return ready_queries().nearest(point);
  }

  void lend_memory(std::span<std::byte> memory) {
    const SearchGuard guard(searching_);
    search_->lend_memory(memory);
  }

  void reset() {
    const SearchGuard guard(searching_);
    clear_results();
    search_->reset();
  }

  [[nodiscard]] std::string description() const { return search_->description(); }
  [[nodiscard]] const SearchCost& cost() const { return cost_; }

 private:
  // All pairs, unsorted: found once per update, then sorted into the lists that are asked for.
  const PairBuffer& found() {
    if (found_valid_) return found_pairs_;
    const SearchGuard guard(searching_);
    found_pairs_.clear();
    DropImages stream(PairBuffer::append_to, &found_pairs_);
    is_periodic_ ? search_periodic(DropImages::receive<D>, &stream)
                 : search(PairBuffer::append_to, &found_pairs_);
    found_valid_ = true;
    return found_pairs_;
  }

  [[nodiscard]] PairGeometry<D> contact_geometry() const {
    return is_periodic_ && size_ > 0 ? PairGeometry<D>(ghosts_, periodic_domain_)
                                     : PairGeometry<D>(particles_);
  }

  // Calls compute(span of sorted pairs, geometry). The pairs have images only where the domain is
  // periodic.
  template <class Compute>
  void for_sorted_pairs(const Compute& compute) {
    if (is_periodic_) {
      const std::span<const PeriodicPair<D>> all = periodic_pairs();
      const SearchGuard guard(searching_);
      compute(all, contact_geometry());
    } else {
      const std::span<const Pair> all = pairs();
      const SearchGuard guard(searching_);
      compute(all, contact_geometry());
    }
  }

  SphereQueries<D>& ready_queries() {
    if (!queries_.ready()) queries_.build(particles_, periodic_domain_);
    return queries_;
  }

  void clear_results() {
    queries_.reset();
    particles_ = {};
    found_valid_ = pairs_valid_ = half_list_valid_ = periodic_pairs_valid_ = false;
    contacts_valid_ = contact_columns_valid_ = false;
    input_ = {};
    size_ = 0;
    displacement_.reset();
  }

  // A method that does not handle periodic boundaries itself gets ghost particles near them.
  SearchInput<D> periodic_input(const Spheres<D>& particles) {
    ghosts_.wrap(particles, periodic_domain_, pool_);
    const auto input = [&](const PeriodicDomain<D>& domain) {
      const Spheres<D> all = ghosts_.particles();
      return make_search_input(all, summarize_input(all, options_, &pool_), options_, domain);
    };
    if (method_.handles_periodic && NeighborImageIndex<D>::indices_fit(particles.size())) {
      const SearchInput<D> without_ghosts = input(periodic_domain_);
      if (without_ghosts.has_cells_in_every_period()) return without_ghosts;
    }
    ghosts_.add_ghosts(options_, options_.memory_limit, pool_);
    return input({});
  }

  void search(PairCallback callback, void* context) {
    cost_ = {};
    if (input_.particles.size() == 0) return;
    PairSink sink(callback, context);
    cost_ = search_->run(input_, pool_, options_, sink);
    if (is_periodic_) cost_.statistics.structure_bytes += ghosts_.bytes();
  }

  void search_periodic(PeriodicPairCallback<D> callback, void* context) {
    PeriodicPairStream<D> stream(ghosts_, static_cast<Index>(options_.fixed_count), callback,
                                 context);
    search(PeriodicPairStream<D>::receive, &stream);
  }

  // Throws if a callback uses the detector that calls it: its lists are in use.
  class SearchGuard {
   public:
    explicit SearchGuard(bool& searching) : searching_(searching) {
      if (std::exchange(searching, true))
        throw Error(
            "the detector is searching; a callback must not use the detector that calls it");
    }
    ~SearchGuard() { searching_ = false; }
    SearchGuard(const SearchGuard&) = delete;
    SearchGuard& operator=(const SearchGuard&) = delete;

   private:
    bool& searching_;
  };

  // Some methods need memory per thread: halves the number of threads until they fit the limit.
  void choose_threads(const SearchInput<D>& input) {
    unsigned threads = requested_threads_;
    const auto bytes = [&] { return method_.bytes_needed(input, threads); };
    while (threads > 1 && bytes() > static_cast<double>(options_.memory_limit)) threads /= 2;
    if (threads != pool_.threads()) pool_ = ThreadPool(threads);
  }

  DetectorOptions<D> options_;
  PeriodicDomain<D> periodic_domain_;
  bool is_periodic_;
  const MethodEntry<D>& method_;
  std::unique_ptr<Search<D>> search_;
  ThreadPool pool_;
  unsigned requested_threads_;
  bool searching_ = false;

  // The particles of the last update.
  ContiguousSpheres<D> contiguous_;
  Spheres<D> particles_;
  std::size_t size_ = 0;  // also set if `input_` is empty because there is nothing to search
  GhostParticles<D> ghosts_;
  SearchInput<D> input_;
  DisplacementCheck<D> displacement_;
  SphereQueries<D> queries_;

  // The results of the last update, each with a flag whether it is up to date.
  PairBuffer found_pairs_;
  bool found_valid_ = false;
  PairSorter sorter_;
  std::vector<Pair> pairs_;
  bool pairs_valid_ = false;
  std::vector<std::uint64_t> offsets_;
  std::vector<Index> neighbors_;
  bool half_list_valid_ = false;
  PeriodicPairList<D> periodic_list_;
  std::vector<PeriodicPair<D>> periodic_pairs_;
  bool periodic_pairs_valid_ = false;
  std::vector<Contact<D>> contacts_;
  bool contacts_valid_ = false;
  ContactColumns<D> contact_columns_;
  bool contact_columns_valid_ = false;
  SearchCost cost_;  // of the last search
};

template <std::size_t D>
Detector<D>::Detector(DetectorOptions<D> options)
    : state_(std::make_unique<State>(std::move(options))) {}
template <std::size_t D>
Detector<D>::~Detector() = default;
template <std::size_t D>
Detector<D>::Detector(Detector&&) noexcept = default;
template <std::size_t D>
Detector<D>& Detector<D>::operator=(Detector&&) noexcept = default;

template <std::size_t D>
typename Detector<D>::State& Detector<D>::state() const {
  if (!state_)
    throw Error("the detector has been moved from; assign a new one before using it",
                ErrorCode::moved_from);
  return *state_;
}

template <std::size_t D>
void Detector<D>::update(const Spheres<D>& particles) {
  state().update(particles);
}
template <std::size_t D>
const std::vector<Pair>& Detector<D>::pairs() {
  return state().pairs();
}
template <std::size_t D>
const std::vector<PeriodicPair<D>>& Detector<D>::periodic_pairs() {
  return state().periodic_pairs();
}
template <std::size_t D>
const std::vector<Contact<D>>& Detector<D>::contacts() {
  return state().contacts();
}
template <std::size_t D>
ContactArrays<D> Detector<D>::contact_arrays() {
  return state().contact_arrays();
}
template <std::size_t D>
void Detector<D>::for_each_batch(PairCallback callback, void* context) {
  state().for_each_batch(callback, context);
}
template <std::size_t D>
void Detector<D>::for_each_batch(PeriodicPairCallback<D> callback, void* context) {
  state().for_each_batch(callback, context);
}
template <std::size_t D>
void Detector<D>::for_each_batch(PairCallback inside, PeriodicPairCallback<D> across,
                                 void* context) {
  state().for_each_batch(inside, across, context);
}

template <std::size_t D>
void Detector<D>::for_each_batch(ContactCallback<D> callback, void* context) {
  state().for_each_batch(callback, context);
}
template <std::size_t D>
bool Detector<D>::needs_update(const Spheres<D>& particles) {
  return state().needs_update(particles);
}
template <std::size_t D>
HalfNeighborList Detector<D>::half_neighbor_list() {
  return state().half_neighbor_list();
}
template <std::size_t D>
std::vector<Neighbor<D>> Detector<D>::overlaps(const Point<D>& center, double radius) {
  return state().overlaps(center, radius);
}
template <std::size_t D>
std::optional<Neighbor<D>> Detector<D>::nearest(const Point<D>& point) {
  return state().nearest(point);
}
template <std::size_t D>
void Detector<D>::lend_memory(std::span<std::byte> memory) {
  state().lend_memory(memory);
}
template <std::size_t D>
void Detector<D>::reset() {
  state().reset();
}
template <std::size_t D>
std::string Detector<D>::description() const {
  return state().description();
}
template <std::size_t D>
DetectorStatistics Detector<D>::statistics() const {
  return state().cost().statistics;
}

struct SearchCountsAccess {
  template <std::size_t D>
  static const SearchCounts& counts(const Detector<D>& detector) {
    return detector.state().cost().counts;
  }
};

template <std::size_t D>
SearchCounts search_counts(const Detector<D>& detector) {
  return SearchCountsAccess::counts(detector);
}

template <std::size_t D>
std::vector<Pair> find_contacts(const Spheres<D>& particles,
                                const std::type_identity_t<DetectorOptions<D>>& options) {
  Detector<D> detector(options);
  detector.update(particles);
  PairBuffer found;
  detector.for_each_batch(PairBuffer::append_to, &found);
  std::vector<Pair> pairs;
  PairSorter().sort(found, particles.size(), pairs);
  return pairs;
}

template <std::size_t D>
std::vector<PeriodicPair<D>> find_periodic_contacts(
    const Spheres<D>& particles, const std::type_identity_t<DetectorOptions<D>>& options) {
  Detector<D> detector(options);
  detector.update(particles);
  return detector.periodic_pairs();
}

template class Detector<2>;
template class Detector<3>;
template SearchCounts search_counts(const Detector<2>&);
template SearchCounts search_counts(const Detector<3>&);
template std::vector<Pair> find_contacts<2>(const Spheres<2>&, const DetectorOptions<2>&);
template std::vector<Pair> find_contacts<3>(const Spheres<3>&, const DetectorOptions<3>&);
template std::vector<PeriodicPair<2>> find_periodic_contacts<2>(const Spheres<2>&,
                                                                const DetectorOptions<2>&);
template std::vector<PeriodicPair<3>> find_periodic_contacts<3>(const Spheres<3>&,
                                                                const DetectorOptions<3>&);

std::span<const MethodInfo> methods() {
  static const std::vector<MethodInfo> infos = [] {
    std::vector<MethodInfo> all;
    for (const MethodEntry<3>& method : registry<3>()) all.push_back(method.info);
    return all;
  }();
  return infos;
}

const MethodInfo& method_info(Method method) {
  const auto number = static_cast<std::size_t>(method);
  if (number >= methods().size())
    throw Error(message("method ", static_cast<int>(method), ": must be an enumerator of Method"));
  return methods()[number];
}

std::optional<Method> find_method(std::string_view name_or_number) {
  std::string name(name_or_number);
  std::ranges::replace(name, '-', '_');
  if (name == "auto" || name == "automatic") return Method::automatic;
  for (const MethodInfo& known : methods())
    if (name == known.name ||
        (known.demcda_number > 0 && name == std::to_string(known.demcda_number)))
      return known.method;
  return {};
}

}  // namespace abut
