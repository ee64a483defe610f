// Combines the normal law and the contributions. Included after the files of laws/.

template <class... Parts>
struct PartList {};

/// The contributions in the order of evaluation. The first position is that of the normal law.
struct NormalLaw;
#define ABUT_LIST_NOTHING(...)
#define ABUT_LIST_TYPE(Type) , Type
template <class... Parts>
PartList<Parts...> contributions_after(PartList<NormalLaw, Parts...>);
using Contributions = decltype(contributions_after(
    PartList<NormalLaw ABUT_CONTACT_LAWS(ABUT_LIST_NOTHING, ABUT_LIST_TYPE, ABUT_LIST_NOTHING)>{}));
#undef ABUT_LIST_TYPE

/// A type as an argument of a generic function.
template <class Part>
struct TypeTag {
  using Type = Part;
};

/// The result of action(TypeTag<Law>()) for the type of a normal law.
template <class Action>
auto with_normal_law(ContactLaw law, const Action& action) {
  switch (law) {
#define ABUT_CASE(name, Type) \
  case ContactLaw::name:      \
    return action(TypeTag<Type>());
    ABUT_CONTACT_LAWS(ABUT_CASE, ABUT_LIST_NOTHING, ABUT_LIST_NOTHING)
#undef ABUT_CASE
  }
  throw Error(message("contact law ", static_cast<int>(law), " does not exist"));
}
#undef ABUT_LIST_NOTHING

// ---- coefficients: in memory those of the normal law, then those of each contribution

template <class Part>
constexpr std::size_t coefficient_count = sizeof(typename Part::template Coefficients<double>) /
                                          sizeof(double);

template <class Normal, class... Parts>
constexpr std::size_t row_size_of(PartList<Parts...> /*contributions*/) {
  return (coefficient_count<Normal> + ... + coefficient_count<Parts>);
}

/// Number of coefficients of a pair of materials.
template <class Normal>
constexpr std::size_t row_size = row_size_of<Normal>(Contributions{});

/// Position of the coefficients of a part, which is `Normal` or a contribution.
template <class Normal, class Part, class... Parts>
constexpr std::size_t first_coefficient_of(PartList<Parts...> /*contributions*/) {
  if (std::is_same_v<Part, Normal>) return 0;
  std::size_t position = coefficient_count<Normal>;
  bool is_found = false;
  ((is_found = is_found || std::is_same_v<Part, Parts>,
    position += is_found ? 0 : coefficient_count<Parts>),
   ...);
  return position;
}

template <class Normal, class Part>
constexpr std::size_t first_coefficient = first_coefficient_of<Normal, Part>(Contributions{});

/// Coefficients of one part, computed by value(0), value(1), … of its positions in memory.
template <class Value, class Part, std::size_t First, class Get, std::size_t... K>
HWY_INLINE typename Part::template Coefficients<Value> make_coefficients(
    const Get& value, std::index_sequence<K...> /*positions*/) {
  return {value(First + K)...};
}

template <class Value, class Normal, class Part, class Get>
HWY_INLINE typename Part::template Coefficients<Value> make_coefficients(const Get& value) {
  return make_coefficients<Value, Part, first_coefficient<Normal, Part>>(
      value, std::make_index_sequence<coefficient_count<Part>>());
}

/// Coefficients of one part; a base of those of all parts.
template <class Value, class Part>
struct PartCoefficients {
  typename Part::template Coefficients<Value> values;
};

template <class Value, class... Parts>
struct CoefficientsOf : PartCoefficients<Value, Parts>... {
  template <class Part>
  [[nodiscard]] HWY_INLINE const typename Part::template Coefficients<Value>& of() const {
    return static_cast<const PartCoefficients<Value, Part>&>(*this).values;
  }
};

template <class Value, class Normal, class... Parts>
CoefficientsOf<Value, Normal, Parts...> coefficients_of(PartList<Parts...>);

/// Coefficients of the normal law and of all contributions.
template <class Value, class Normal>
using AllCoefficients = decltype(coefficients_of<Value, Normal>(Contributions{}));

template <class Value, class Normal, class Get, class... Parts>
HWY_INLINE AllCoefficients<Value, Normal> make_all_coefficients(
    const Get& value, PartList<Parts...> /*contributions*/) {
  return {{make_coefficients<Value, Normal, Normal>(value)},
          {make_coefficients<Value, Normal, Parts>(value)}...};
}

template <class Value, class Normal, class Get>
HWY_INLINE AllCoefficients<Value, Normal> make_all_coefficients(const Get& value) {
  return make_all_coefficients<Value, Normal>(value, Contributions{});
}

struct NonzeroFlags {
  const std::uint8_t* flags;  ///< `CoefficientTable::any_nonzero`
  HWY_INLINE bool operator()(std::size_t k) const { return flags[k] != 0; }
};

/// For each coefficient, whether that of some pair of materials is not 0.
template <class Normal>
HWY_INLINE AllCoefficients<bool, Normal> any_nonzero(const CoefficientTable& table) {
  return make_all_coefficients<bool, Normal>(NonzeroFlags{table.any_nonzero.data()});
}

// ---- force

/// Whether kernels with friction evaluate a contribution. They always include sliding friction.
template <class Part, class Flags>
HWY_INLINE bool is_evaluated(const Flags& any) {
  return Part::history == History::friction_spring || Part::is_active(any.template of<Part>());
}

template <class Normal, class Flags, class... Parts>
HWY_INLINE bool needs_radius_of(const Flags& any, PartList<Parts...> /*contributions*/) {
  return Normal::needs_radius || (... || (Parts::needs_radius && is_evaluated<Parts>(any)));
}

/// Whether the law or a contribution needs the reduced radius.
template <class Normal>
HWY_INLINE bool needs_radius(const CoefficientTable& table) {
  return needs_radius_of<Normal>(any_nonzero<Normal>(table), Contributions{});
}

template <class Part, bool HasFriction, class Flags, class Coefficients, class Response>
HWY_INLINE void add_contribution(const Flags& any, const Coefficients& coefficients,
                                 const ContactGeometry& contact, const Stiffness& stiffness,
                                 double time_step, ContactSprings& spring, Response& response) {
  if constexpr (Part::history == History::none || HasFriction)
    if (is_evaluated<Part>(any)) {
      const auto& own = coefficients.template of<Part>();
      Part::add(own, contact, stiffness, time_step, spring, response);
      if constexpr (Response::tracks_energy && Part::has_energy)
        response.normal_energy = response.normal_energy + Part::energy(own, contact);
    }
}

template <bool HasFriction, class Flags, class Coefficients, class Response, class... Parts>
HWY_INLINE void add_contributions(const Flags& any, const Coefficients& coefficients,
                                  const ContactGeometry& contact, const Stiffness& stiffness,
                                  double time_step, ContactSprings& spring, Response& response,
                                  PartList<Parts...> /*contributions*/) {
  (add_contribution<Parts, HasFriction>(any, coefficients, contact, stiffness, time_step, spring,
                                        response),
   ...);
}

/// Force, torque and energies; advances the springs by `time_step`.
template <class Normal, bool HasFriction, bool TrackEnergy>
HWY_INLINE ContactResponse<TrackEnergy> contact_response(
    const AllCoefficients<bool, Normal>& any, const AllCoefficients<Lanes, Normal>& coefficients,
    const ContactGeometry& contact, double time_step, ContactSprings& spring) {
  const Lanes zero = splat(0);
  const auto& normal = coefficients.template of<Normal>();
  const Stiffness stiffness = Normal::stiffness(any.template of<Normal>(), normal, contact);
  const Lanes elastic =
      select(contact.touching, Normal::elastic_force(stiffness, contact.overlap), zero);
  ContactResponse<TrackEnergy> response{};  // which does not set vectors of NEON
  response.tangential_force = zero_vector();
  response.torque = zero_vector();
  response.tangential_energy = zero;
  response.normal_force = select(
      contact.touching,
      lane_max(elastic - stiffness.damping * contact.separation_speed, normal.min_normal_force),
      zero);
  response.friction_load = Normal::friction_load(response.normal_force);
  if constexpr (TrackEnergy) {
    response.normal_energy = Normal::energy(elastic, contact.overlap);
    response.dissipated =
        splat(time_step) * (elastic - response.normal_force) * contact.separation_speed;
  }
  add_contributions<HasFriction>(any, coefficients, contact, stiffness, time_step, spring, response,
                                 Contributions{});
  return response;
}
