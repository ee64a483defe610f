// Four contacts at once, each in a lane of its own, as the laws see them. Included where `Lanes`
// is defined, see forces.inl.

struct VectorLanes {
  Lanes x, y, z;
};

ABUT_INLINE Lanes dot(const VectorLanes& a, const VectorLanes& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

ABUT_INLINE VectorLanes operator+(const VectorLanes& a, const VectorLanes& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}

ABUT_INLINE VectorLanes operator-(const VectorLanes& a, const VectorLanes& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}

ABUT_INLINE VectorLanes operator*(const Lanes& a, const VectorLanes& b) {
  return {a * b.x, a * b.y, a * b.z};
}

ABUT_INLINE VectorLanes cross(const VectorLanes& a, const VectorLanes& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

ABUT_INLINE VectorLanes select(const Mask& which, const VectorLanes& a, const VectorLanes& b) {
  return {which ? a.x : b.x, which ? a.y : b.y, which ? a.z : b.z};
}

struct ContactGeometry {
  VectorLanes normal;            ///< from b to a
  Lanes overlap;                 ///< below 0 where cohesion reaches across a gap
  VectorLanes velocity;          ///< of a's surface past b's, where they touch
  VectorLanes angular_velocity;  ///< of a, as b sees it
  Lanes mass;                    ///< reduced
  Lanes inertia;                 ///< reduced
  Lanes radius;                  ///< reduced
  Mask touching;                 ///< lanes that overlap
  Mask in_range;                 ///< lanes that overlap, or that cohesion may hold
};

/// What lasts as long as a contact does.
struct ContactSprings {
  VectorLanes friction;
  VectorLanes rolling;  ///< an angle
};

/// What a feels; b feels the opposite. Energies only if somebody keeps account of them.
template <bool Counts>
struct ContactResponse {
  static constexpr bool tracks_energy = Counts;
  Lanes normal_force;
  VectorLanes tangential_force;
  VectorLanes torque;       ///< beside that of the tangential force
  Lanes normal_energy;      ///< in the overlap
  Lanes tangential_energy;  ///< in springs of friction and rolling resistance
  Lanes dissipated;         ///< in this step; what springs across have got of it is to be taken off
};

struct CoefficientLanes {
  Lanes stiffness, tangential_stiffness, damping, damping_rate, damping_factor, tangential_damping,
      tangential_compliance, friction, rolling_friction, cohesion_range, min_normal_force;
};

/// Of four contacts with their present overlap: force over overlap, along and across; force over
/// speed; and what the force across is to be multiplied with to know the spring.
struct Stiffness {
  Lanes normal, tangential, damping, tangential_compliance;
};
