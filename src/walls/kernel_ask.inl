// What particles see of packets: a part of kernel.inl.

// NOLINTBEGIN(cppcoreguidelines-pro-type-reinterpret-cast): that is how vectors are loaded

// Lanes are loaded where they are used: memory is as good an operand as any.
ABUT_INLINE const Float8& lanes(const std::array<float, 8>& from) {
  return *reinterpret_cast<const Float8*>(from.data());
}
ABUT_INLINE const Float4& lanes(const std::array<float, 4>& from) {
  return *reinterpret_cast<const Float4*>(from.data());
}

template <std::size_t D>
ABUT_INLINE void signed_distances(const typename Packet<D>::Side& side,
                                  const std::array<float, D>& at, Float8& result) {
  result = lanes(side.offset);
  for (std::size_t k = 0; k < D; ++k) result += lanes(side.normal[k]) * at[k];
}

// A particle as a packet sees it.
template <std::size_t D>
struct PacketDistances {
  Float8 height;  // its height over the planes
  Float8 inside;  // of all sides, the least
  Mask8 within;
  float cutoff;  // the reach
  float inverse_cutoff;
};

template <std::size_t D>
ABUT_INLINE void measure_packet(const Packet<D>& packet, const Point<D>& centre, double reach,
                                PacketDistances<D>& seen) {
  std::array<float, D> at;
  for (std::size_t k = 0; k < D; ++k)
    at[k] = static_cast<float>((centre[k] - packet.center[k]) * packet.inverse_scale);
  const double far = reach * packet.inverse_scale;
  const auto wide = static_cast<float>(far + packet.slack * (1 + far));
  signed_distances<D>(packet.plane, at, seen.height);
  signed_distances<D>(packet.sides[0], at, seen.inside);
  for (std::size_t k = 1; k < D; ++k) {
    Float8 own;
    signed_distances<D>(packet.sides[k], at, own);
    seen.inside = own < seen.inside ? own : seen.inside;
  }
  const Float8 zero{};
  const Float8 beyond = seen.inside < zero ? seen.inside : zero;
  seen.within = seen.height * seen.height + beyond * beyond <= zero + wide * wide;
  seen.cutoff = static_cast<float>(far);
}

constexpr double max_float_cutoff = 1e6;  // sizes of a packet

template <std::size_t D>
unsigned facets_within(const Packet<D>& packet, const Point<D>& centre, double reach) {
  if (!(reach * packet.inverse_scale < max_float_cutoff)) return packet.occupied;
  PacketDistances<D> seen;
  measure_packet(packet, centre, reach, seen);
  return mask_bits(seen.within) & packet.occupied;
}

// A point of a cap is a·n + b from the centre, with n down, h ≤ a ≤ 1 and b across n, no longer
// than √(1 − h²), all in units of the reach. Floats are exact enough if h is lowered a little.
template <std::size_t D>
ABUT_INLINE void bound_cap(const WallQuery<D>& looking, CapBox<D>& box) {
  constexpr float slack = 4e-6F;
  const auto& own = looking.cap.axis;
  Int4 whole{own[0], own[1], D == 3 ? own[2] : 0, 0};
  const Float4 down = __builtin_convertvector(whole, Float4);
  const Float4 squares = down * down;
  const float squared = squares[0] + squares[1] + squares[2];
  const bool known = squared > 0;
  const float per_squared = 1 / (known ? squared : 1.0F);
  Float4 roots{per_squared, 0, 0, 0};
  take_sqrt(roots);
  const float per_length = roots[0];
  float least = (known ? looking.cap.plane_distance : 0.0F) * per_length - slack;
  least = least > 0 ? least : 0.0F;
  least = least < 1 ? least : 1.0F;
  const Float4 one = Float4{} + 1.0F;
  Float4 across = one - squares * per_squared;  // of floats that are exact: not below −2⁻²²
  across = across + 1e-6F;
  across[3] = 1 - least * least;
  take_sqrt(across);
  const float most = across[3] + slack;
  const Float4 size = (down < Float4{} ? -down : down) * per_length;
  const Float4 half = size * (0.5F * (1 - least)) + across * most + 2 * slack;
  const Float4 off = down * (per_length * 0.5F * (1 + least));
  for (std::size_t k = 0; k < D; ++k) {
    const int lane = static_cast<int>(k);
    box.center[k] = looking.center[k] + looking.cutoff * static_cast<double>(off[lane]);
    box.half_extent[k] = looking.cutoff * static_cast<double>(half[lane]);
  }
}

template <std::size_t D>
void bound_caps(std::span<const WallQuery<D>> all, CapBox<D>* boxes) {
  for (std::size_t i = 0; i < all.size(); ++i) bound_cap(all[i], boxes[i]);
}

constexpr std::size_t max_packets = 16;

// Packets that one who asks has to look into; more than there is room for if they are too many.
struct PacketHits {
  std::size_t count;
  std::array<std::uint32_t, max_packets + 1> packets;
};

template <std::size_t D>
ABUT_INLINE void find_packets(const PacketView<D>& view, const PacketQuery<D>& question,
                              PacketHits& met) {
  const Float4& place = lanes(question.box_center);
  const Float4& wide = lanes(question.box_half_extent);
  const Float4 zero{};
  std::size_t count = 0;
  met.packets[0] = 0;
  for (const std::uint32_t packet : question.packets) {
    const PacketBox& box = view.boxes[packet];
    const Float4 apart = place - lanes(box.center);
    const Float4 away = apart < zero ? -apart : apart;
    met.packets[count] = packet;
    count += mask_bits(away > lanes(box.half_extent) + wide) == 0 ? 1U : 0U;
    if (count > max_packets) break;
  }
  met.count = count;
}

ABUT_INLINE void prefetch(const char* bytes, std::size_t size) {
  for (std::size_t i = 0; i < size; i += 64) __builtin_prefetch(bytes + i);
}
template <std::size_t D>
ABUT_INLINE void prefetch(const Packet<D>& packet) {
  prefetch(reinterpret_cast<const char*>(&packet), sizeof(packet));
}

// A face right below the centre. All in units of the reach.
template <std::size_t D>
struct NearestFace {
  std::size_t packet = 0;  // in the list of those met
  unsigned lane = 0;
  float distance = no_face;
  std::array<float, D> normal{};  // towards the centre
  static constexpr float no_face = 2;
};

// The nearest face in every lane, and the packet it is in.
struct NearestFaceLanes {
  Float8 distance;
  Mask8 packet;
};

template <std::size_t D>
ABUT_INLINE void update_nearest_faces(const PacketDistances<D>& seen, int number, float slack,
                                      NearestFaceLanes& faces) {
  const Float8 zero{};
  const Float8 distance = (seen.height < zero ? -seen.height : seen.height) * seen.inverse_cutoff;
  const Mask8 nearer =
      seen.within & (seen.inside > zero + slack * seen.cutoff) & (distance < faces.distance);
  faces.distance = nearer ? distance : faces.distance;
  faces.packet = nearer ? Mask8{} + number : faces.packet;
}

// Lanes that the push of the face leaves nothing to do. With the reach as unit, let the face be at
// distance s, and another piece at t, its nearest point k above the plane of the face. The face
// pushes by 1 − s, which takes the sphere out of the other if t − 1 + (1 − s)·(s − k)/t ≥ 0, or
// t·(1 − t) ≤ (s − k)·(1 − s). For t ≥ ½ the left side falls with t, so a bound from below will do
// for it. For k: the nearest point is in the plane of the piece, no farther than √(1 − h²) from the
// foot of the centre there, h being the height; so s − k ≥ h·cos φ − √(1 − h²)·sin φ, where φ is
// the angle between the planes. As k ≥ 0 may be assumed, no piece that passes is nearer than s.
template <std::size_t D>
ABUT_INLINE unsigned resolved_by_face(const Packet<D>& packet, const PacketDistances<D>& seen,
                                      const NearestFace<D>& face, float slack) {
  const Float8 zero{};
  const Float8 one = zero + 1.0F;
  const float per_far = seen.inverse_cutoff;
  Float8 cosine = lanes(packet.plane.normal[0]) * face.normal[0];
  for (std::size_t k = 1; k < D; ++k) cosine += lanes(packet.plane.normal[k]) * face.normal[k];
  cosine = seen.height < zero ? -cosine : cosine;
  const Float8 high = (seen.height < zero ? -seen.height : seen.height) * per_far;
  const Float8 beyond = (seen.inside < zero ? seen.inside : zero) * per_far;
  constexpr float rounds_off = 1e-6F;  // squares of cosines of normals that are floats themselves
  Float8 wide = (one - high * high + 4 * slack) * (one - cosine * cosine + rounds_off);
  wide = wide > zero ? wide : zero;
  take_sqrt(wide);
  Float8 left = high * cosine - wide;
  left = left < zero + face.distance ? left : zero + face.distance;
  Float8 away = high * high + beyond * beyond;
  take_sqrt(away);
  away = away - slack;
  const Mask8 safe = away * (one - away) <= left * (1 - face.distance) - 4 * slack;
  return mask_bits(safe & (away >= zero + 0.5F));
}

template <std::size_t D>
struct QueryDistances {
  std::array<PacketDistances<D>, max_packets> packets;
  std::array<unsigned, max_packets> within;  // bits
  std::array<float, max_packets> slack;
};

template <std::size_t D>
ABUT_INLINE NearestFace<D> nearest_face(const PacketView<D>& view, const PacketHits& met,
                                        const QueryDistances<D>& sight,
                                        const NearestFaceLanes& faces) {
  NearestFace<D> face;
  for (unsigned lane = 0; lane < 8; ++lane)
    face.distance = faces.distance[lane] < face.distance ? faces.distance[lane] : face.distance;
  if (face.distance >= NearestFace<D>::no_face) return face;
  face.lane =
      static_cast<unsigned>(__builtin_ctz(mask_bits(faces.distance <= Float8{} + face.distance)));
  face.packet = static_cast<std::size_t>(faces.packet[face.lane]);
  const bool below = sight.packets[face.packet].height[face.lane] < 0;
  for (std::size_t k = 0; k < D; ++k) {
    const float own = view.packets[met.packets[face.packet]].plane.normal[k][face.lane];
    face.normal[k] = below ? -own : own;
  }
  return face;
}

// All lanes that are near, if there is room for them.
template <std::size_t D>
void list_candidates(const PacketHits& met, const QueryDistances<D>& sight, FacetList& list) {
  std::size_t size = 0;
  for (std::size_t i = 0; i < met.count; ++i)
    for (unsigned todo = sight.within[i]; todo != 0; todo &= todo - 1) {
      if (size == FacetList::capacity) {
        list.size = 0;
        return;
      }
      list.facets[size++] = met.packets[i] * 8 + static_cast<unsigned>(__builtin_ctz(todo));
    }
  list.size = size;
}

// Whether the face pushes alone.
template <std::size_t D>
ABUT_INLINE bool face_suffices(const PacketView<D>& view, const PacketHits& met,
                               const QueryDistances<D>& sight, const NearestFace<D>& face) {
  if (!(face.distance >= 0.5F + 2 * sight.slack[face.packet] && face.distance <= 1.5F))
    return false;
  for (std::size_t i = 0; i < met.count; ++i) {
    unsigned others = sight.within[i];
    if (i == face.packet) others &= ~(1U << face.lane);
    if (others == 0) continue;
    const float rough = sight.slack[i] + sight.slack[face.packet];
    if ((others & ~resolved_by_face(view.packets[met.packets[i]], sight.packets[i], face, rough)) !=
        0)
      return false;
  }
  return true;
}

template <std::size_t D>
void query_hits(const PacketView<D>& view, const PacketQuery<D>& question, const PacketHits& met,
                PacketResult& answer) {
  answer.result = met.count > max_packets ? QuickResult::undecided : QuickResult::none;
  answer.facets.size = 0;
  if (met.count > max_packets) return;
  QueryDistances<D> sight;
  NearestFaceLanes faces{Float8{} + NearestFace<D>::no_face, Mask8{}};
  unsigned any = 0;
  for (std::size_t i = 0; i < met.count; ++i) {
    const Packet<D>& packet = view.packets[met.packets[i]];
    const double far = question.cutoff * packet.inverse_scale;
    if (!(far < max_float_cutoff)) {
      answer.result = QuickResult::undecided;
      return;
    }
    const double per_far = packet.scale * question.inverse_cutoff;
    measure_packet(packet, question.center, question.cutoff, sight.packets[i]);
    sight.slack[i] = static_cast<float>(packet.slack * (1 + per_far) + question.relative_rounding);
    sight.packets[i].inverse_cutoff = static_cast<float>(per_far);
    sight.within[i] = mask_bits(sight.packets[i].within) & packet.occupied;
    any |= sight.within[i];
    update_nearest_faces(sight.packets[i], static_cast<int>(i), sight.slack[i], faces);
  }
  if (any == 0) return;
  const NearestFace<D> face = nearest_face(view, met, sight, faces);
  if (face_suffices(view, met, sight, face)) {
    answer.result = QuickResult::face;
    answer.facets.size = 1;
    answer.facets.facets[0] = met.packets[face.packet] * 8 + face.lane;
    return;
  }
  answer.result = QuickResult::undecided;
  list_candidates(met, sight, answer.facets);
}

// In steps, each for all: what the next step needs is on its way while others have their turn.
template <std::size_t D>
void query_packets(const PacketView<D>& view, std::span<const PacketQuery<D>> questions,
                   PacketResult* answers) {
  std::array<PacketHits, WallQuery<D>::batch_size> met;
  for (std::size_t i = 0; i < questions.size(); ++i) {
    find_packets(view, questions[i], met[i]);
    prefetch(view.packets[met[i].packets[0]]);  // seldom there are more than two
    prefetch(view.packets[met[i].packets[met[i].count > 1 ? 1 : 0]]);
  }
  for (std::size_t i = 0; i < questions.size(); ++i) {
    query_hits(view, questions[i], met[i], answers[i]);
    for (const std::uint32_t piece : answers[i].facets.view())
      prefetch(view.facet_data + piece * view.facet_bytes, view.facet_bytes);
  }
}

// NOLINTEND(cppcoreguidelines-pro-type-reinterpret-cast)
