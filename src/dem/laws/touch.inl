// Four contacts at once, each in a lane of its own, as the laws see them. Included where `Lanes`
// is defined, see forces.inl.

struct Vector {
  Lanes x, y, z;
};

ABUT_INLINE Lanes dot(const Vector& a, const Vector& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

ABUT_INLINE Vector operator+(const Vector& a, const Vector& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}

ABUT_INLINE Vector operator-(const Vector& a, const Vector& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}

ABUT_INLINE Vector operator*(const Lanes& a, const Vector& b) {
  return {a * b.x, a * b.y, a * b.z};
}

ABUT_INLINE Vector cross(const Vector& a, const Vector& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

ABUT_INLINE Vector choose(const Mask& which, const Vector& a, const Vector& b) {
  return {which ? a.x : b.x, which ? a.y : b.y, which ? a.z : b.z};
}

struct Touch {
  Vector normal;    ///< from b to a
  Lanes overlap;    ///< below 0 where cohesion reaches across a gap
  Vector velocity;  ///< of a's surface past b's, where they touch
  Vector spin;      ///< of a, as b sees it
  Lanes mass;       ///< reduced
  Lanes inertia;    ///< reduced
  Lanes radius;     ///< reduced
  Mask touching;    ///< lanes that overlap
  Mask reached;     ///< lanes that overlap, or that cohesion may hold
};

/// What lasts as long as a contact does.
struct ContactSprings {
  Vector friction;
  Vector rolling;  ///< an angle
};

/// What a feels; b feels the opposite. Energies only if somebody keeps account of them.
template <bool Counts>
struct Answered {
  static constexpr bool counts = Counts;
  Lanes normal_force;
  Vector tangential_force;
  Vector torque;  ///< beside that of the tangential force
  Lanes stored;   ///< in the overlap
  Lanes across;   ///< in springs of friction and rolling resistance
  Lanes lost;     ///< in this step; what springs across have got of it is to be taken off
};

struct Constants {
  Lanes stiffness, tangential_stiffness, damping, damping_rate, damping_factor, tangential_damping,
      give, friction, rolling_friction, reach, least_force;
};

/// Of four contacts with their present overlap: force over overlap, along and across; force over
/// speed; and what the force across is to be multiplied with to know the spring.
struct Stiffness {
  Lanes normal, tangential, damping, give;
};
