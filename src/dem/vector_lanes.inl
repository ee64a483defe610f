// Arithmetic of vectors, one per lane. Included after lanes.inl or scalars.inl.

/// A vector per lane.
struct VectorLanes {
  Lanes x, y, z;
};

HWY_INLINE VectorLanes zero_vector() { return {splat(0), splat(0), splat(0)}; }

HWY_INLINE Lanes dot(const VectorLanes& a, const VectorLanes& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

HWY_INLINE VectorLanes operator+(const VectorLanes& a, const VectorLanes& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}

HWY_INLINE VectorLanes operator-(const VectorLanes& a, const VectorLanes& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}

HWY_INLINE VectorLanes operator*(Lanes a, const VectorLanes& b) {
  return {a * b.x, a * b.y, a * b.z};
}

HWY_INLINE VectorLanes cross(const VectorLanes& a, const VectorLanes& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

HWY_INLINE VectorLanes select(Mask mask, const VectorLanes& a, const VectorLanes& b) {
  return {select(mask, a.x, b.x), select(mask, a.y, b.y), select(mask, a.z, b.z)};
}
