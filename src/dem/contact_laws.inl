// Evaluates the contact law for blocks of contacts. Included after contact_response.inl.

/// Lanes of consecutive contacts of a block.
HWY_INLINE VectorLanes load(const BlockVectors& from, std::size_t at) {
  return {load(&from.x[at]), load(&from.y[at]), load(&from.z[at])};
}

HWY_INLINE void store(const VectorLanes& vectors, BlockVectors& to, std::size_t at) {
  store(vectors.x, &to.x[at]);
  store(vectors.y, &to.y[at]);
  store(vectors.z, &to.z[at]);
}

/// The coefficients of contacts first, first + 1, … of a block.
template <class Normal>
struct CoefficientLoader {
  const double* table;                    ///< values of `CoefficientTable`
  bool is_common;                         ///< all contacts have the same coefficients
  AllCoefficients<Lanes, Normal> common;  ///< of the first pair of materials

  explicit HWY_INLINE CoefficientLoader(const CoefficientTable& coefficients)
      : table(coefficients.values.data()),
        is_common(coefficients.material_count == 1),
        common(make_all_coefficients<Lanes, Normal>([this](std::size_t k)
                                                        HWY_ATTR { return splat(table[k]); })) {}

  [[nodiscard]] HWY_INLINE AllCoefficients<Lanes, Normal> load_at(const ContactBlock& block,
                                                                  std::size_t at) const {
    if (is_common) return common;
    const auto offsets = hn::Load(hn::RebindToSigned<LaneTag>(), &block.coefficients[at]);
    return make_all_coefficients<Lanes, Normal>(
        [&](std::size_t k) HWY_ATTR { return hn::GatherIndex(LaneTag(), table + k, offsets); });
  }
};

/// Evaluates the law for all contacts of a block: forces, torques, springs and energies. The lanes
/// after the last contact hold no contact; their results are not used.
template <class Normal, bool HasFriction, bool TrackEnergy>
void evaluate_law(const ForceParameters& parameters, ContactBlock& block) {
  const CoefficientLoader<Normal> coefficients(*parameters.coefficients);
  const AllCoefficients<bool, Normal> any = any_nonzero<Normal>(*parameters.coefficients);
  const bool has_radius = needs_radius<Normal>(*parameters.coefficients);
  for (std::size_t at = 0; at < block.count; at += hn::Lanes(LaneTag())) {
    const AllCoefficients<Lanes, Normal> lanes = coefficients.load_at(block, at);
    ContactGeometry contact{};
    contact.normal = load(block.normal, at);
    contact.overlap = load(&block.overlap[at]);
    contact.velocity = load(block.velocity, at);
    contact.mass = load(&block.mass[at]);
    contact.touching = hn::Gt(load(&block.inside[at]), splat(0));
    contact.separation_speed = dot(contact.velocity, contact.normal);
    // {} does not set vectors of NEON.
    contact.radius = splat(0);
    contact.inertia = splat(0);
    contact.angular_velocity = zero_vector();
    if (has_radius) contact.radius = load(&block.radius[at]);
    ContactSprings spring{};
    spring.friction = zero_vector();
    spring.rolling = zero_vector();
    if constexpr (HasFriction) {
      spring.friction = load(block.friction_spring, at);
      if (parameters.has_rolling) {
        contact.angular_velocity = load(block.angular_velocity, at);
        contact.inertia = load(&block.inertia[at]);
        spring.rolling = load(block.rolling_spring, at);
      }
    }
    const auto response = contact_response<Normal, HasFriction, TrackEnergy>(
        any, lanes, contact, parameters.time_step, spring);
    VectorLanes force = response.normal_force * contact.normal;
    if constexpr (HasFriction) {
      force = force + response.tangential_force;
      store(cross(response.tangential_force, contact.normal), block.lever_torque, at);
      store(spring.friction, block.friction_spring, at);
      if (parameters.has_rolling) {
        store(response.torque, block.rolling_torque, at);
        store(spring.rolling, block.rolling_spring, at);
      }
    }
    store(force, block.force, at);
    if constexpr (TrackEnergy) {
      store(response.normal_energy, &block.normal_energy[at]);
      store(response.tangential_energy, &block.tangential_energy[at]);
      store(response.dissipated, &block.dissipated[at]);
    }
  }
}

/// Adds the energies of the contacts of a block, in their order.
HWY_INLINE void accumulate_energy(const ContactBlock& block, ContactEnergy& sum) {
  for (std::size_t k = 0; k < block.count; ++k)
    sum += {block.normal_energy[k], block.tangential_energy[k], block.dissipated[k]};
}
