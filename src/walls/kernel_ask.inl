// What particles see of packets: a part of kernel.inl.

// NOLINTBEGIN(cppcoreguidelines-pro-type-reinterpret-cast): that is how vectors are loaded

// Lanes are loaded where they are used: memory is as good an operand as any.
ABUT_INLINE const Floats& lanes(const std::array<float, 8>& from) {
  return *reinterpret_cast<const Floats*>(from.data());
}
ABUT_INLINE const FourFloats& lanes(const std::array<float, 4>& from) {
  return *reinterpret_cast<const FourFloats*>(from.data());
}

template <std::size_t D>
ABUT_INLINE void height(const typename Packet<D>::Side& side, const std::array<float, D>& at,
                        Floats& result) {
  result = lanes(side.from);
  for (std::size_t k = 0; k < D; ++k) result += lanes(side.normal[k]) * at[k];
}

// A particle as a packet sees it.
template <std::size_t D>
struct Seen8 {
  Floats above;   // its height over the planes
  Floats inside;  // of all sides, the least
  Bits near;
  float far;  // the reach
  float per_far;
};

template <std::size_t D>
ABUT_INLINE void look(const Packet<D>& packet, const Point<D>& centre, double reach,
                      Seen8<D>& seen) {
  std::array<float, D> at;
  for (std::size_t k = 0; k < D; ++k)
    at[k] = static_cast<float>((centre[k] - packet.middle[k]) * packet.per_size);
  const double far = reach * packet.per_size;
  const auto wide = static_cast<float>(far + packet.slack * (1 + far));
  height<D>(packet.plane, at, seen.above);
  height<D>(packet.sides[0], at, seen.inside);
  for (std::size_t k = 1; k < D; ++k) {
    Floats own;
    height<D>(packet.sides[k], at, own);
    seen.inside = own < seen.inside ? own : seen.inside;
  }
  const Floats zero{};
  const Floats beyond = seen.inside < zero ? seen.inside : zero;
  seen.near = seen.above * seen.above + beyond * beyond <= zero + wide * wide;
  seen.far = static_cast<float>(far);
}

constexpr double beyond_float = 1e6;  // sizes of a packet

template <std::size_t D>
unsigned met(const Packet<D>& packet, const Point<D>& centre, double reach) {
  if (!(reach * packet.per_size < beyond_float)) return packet.present;
  Seen8<D> seen;
  look(packet, centre, reach, seen);
  return bits_of(seen.near) & packet.present;
}

// A point of a cap is a·n + b from the centre, with n down, h ≤ a ≤ 1 and b across n, no longer
// than √(1 − h²), all in units of the reach. Floats are exact enough if h is lowered a little.
template <std::size_t D>
ABUT_INLINE void put_box(const Looking<D>& looking, CapBox<D>& box) {
  constexpr float slack = 4e-6F;
  const auto& own = looking.cap.down;
  Wholes whole{own[0], own[1], D == 3 ? own[2] : 0, 0};
  const FourFloats down = __builtin_convertvector(whole, FourFloats);
  const FourFloats squares = down * down;
  const float squared = squares[0] + squares[1] + squares[2];
  const bool known = squared > 0;
  const float per_squared = 1 / (known ? squared : 1.0F);
  FourFloats roots{per_squared, 0, 0, 0};
  root(roots);
  const float per_length = roots[0];
  float least = (known ? looking.cap.least : 0.0F) * per_length - slack;
  least = least > 0 ? least : 0.0F;
  least = least < 1 ? least : 1.0F;
  const FourFloats one = FourFloats{} + 1.0F;
  FourFloats across = one - squares * per_squared;  // of floats that are exact: not below −2⁻²²
  across = across + 1e-6F;
  across[3] = 1 - least * least;
  root(across);
  const float most = across[3] + slack;
  const FourFloats size = (down < FourFloats{} ? -down : down) * per_length;
  const FourFloats half = size * (0.5F * (1 - least)) + across * most + 2 * slack;
  const FourFloats off = down * (per_length * 0.5F * (1 + least));
  for (std::size_t k = 0; k < D; ++k) {
    const int lane = static_cast<int>(k);
    box.middle[k] = looking.centre[k] + looking.reach * static_cast<double>(off[lane]);
    box.half[k] = looking.reach * static_cast<double>(half[lane]);
  }
}

template <std::size_t D>
void put_boxes(std::span<const Looking<D>> all, CapBox<D>* boxes) {
  for (std::size_t i = 0; i < all.size(); ++i) put_box(all[i], boxes[i]);
}

constexpr std::size_t most_packets = 16;

// Packets that one who asks has to look into; more than there is room for if they are too many.
struct Met {
  std::size_t count;
  std::array<std::uint32_t, most_packets + 1> packets;
};

template <std::size_t D>
ABUT_INLINE void meet_boxes(const PacketView<D>& view, const PacketQuestion<D>& question,
                            Met& met) {
  const FourFloats& place = lanes(question.place);
  const FourFloats& wide = lanes(question.wide);
  const FourFloats zero{};
  std::size_t count = 0;
  met.packets[0] = 0;
  for (const std::uint32_t packet : question.asked) {
    const PacketBox& box = view.boxes[packet];
    const FourFloats apart = place - lanes(box.middle);
    const FourFloats away = apart < zero ? -apart : apart;
    met.packets[count] = packet;
    count += bits_of(away > lanes(box.half) + wide) == 0 ? 1U : 0U;
    if (count > most_packets) break;
  }
  met.count = count;
}

ABUT_INLINE void fetch(const char* bytes, std::size_t size) {
  for (std::size_t i = 0; i < size; i += 64) __builtin_prefetch(bytes + i);
}
template <std::size_t D>
ABUT_INLINE void fetch(const Packet<D>& packet) {
  fetch(reinterpret_cast<const char*>(&packet), sizeof(packet));
}

// A face right below the centre. All in units of the reach.
template <std::size_t D>
struct Face {
  std::size_t packet = 0;  // in the list of those met
  unsigned lane = 0;
  float distance = none;
  std::array<float, D> normal{};  // towards the centre
  static constexpr float none = 2;
};

// The nearest face in every lane, and the packet it is in.
struct FaceLanes {
  Floats distance;
  Bits packet;
};

template <std::size_t D>
ABUT_INLINE void find_faces(const Seen8<D>& seen, int number, float slack, FaceLanes& faces) {
  const Floats zero{};
  const Floats distance = (seen.above < zero ? -seen.above : seen.above) * seen.per_far;
  const Bits nearer =
      seen.near & (seen.inside > zero + slack * seen.far) & (distance < faces.distance);
  faces.distance = nearer ? distance : faces.distance;
  faces.packet = nearer ? Bits{} + number : faces.packet;
}

// Lanes that the push of the face leaves nothing to do. With the reach as unit, let the face be at
// distance s, and another piece at t, its nearest point k above the plane of the face. The face
// pushes by 1 − s, which takes the sphere out of the other if t − 1 + (1 − s)·(s − k)/t ≥ 0, or
// t·(1 − t) ≤ (s − k)·(1 − s). For t ≥ ½ the left side falls with t, so a bound from below will do
// for it. For k: the nearest point is in the plane of the piece, no farther than √(1 − h²) from the
// foot of the centre there, h being the height; so s − k ≥ h·cos φ − √(1 − h²)·sin φ, where φ is
// the angle between the planes. As k ≥ 0 may be assumed, no piece that passes is nearer than s.
template <std::size_t D>
ABUT_INLINE unsigned harmless(const Packet<D>& packet, const Seen8<D>& seen, const Face<D>& face,
                              float slack) {
  const Floats zero{};
  const Floats one = zero + 1.0F;
  const float per_far = seen.per_far;
  Floats cosine = lanes(packet.plane.normal[0]) * face.normal[0];
  for (std::size_t k = 1; k < D; ++k) cosine += lanes(packet.plane.normal[k]) * face.normal[k];
  cosine = seen.above < zero ? -cosine : cosine;
  const Floats high = (seen.above < zero ? -seen.above : seen.above) * per_far;
  const Floats beyond = (seen.inside < zero ? seen.inside : zero) * per_far;
  constexpr float rounds_off = 1e-6F;  // squares of cosines of normals that are floats themselves
  Floats wide = (one - high * high + 4 * slack) * (one - cosine * cosine + rounds_off);
  wide = wide > zero ? wide : zero;
  root(wide);
  Floats left = high * cosine - wide;
  left = left < zero + face.distance ? left : zero + face.distance;
  Floats away = high * high + beyond * beyond;
  root(away);
  away = away - slack;
  const Bits safe = away * (one - away) <= left * (1 - face.distance) - 4 * slack;
  return bits_of(safe & (away >= zero + 0.5F));
}

template <std::size_t D>
struct Sight {
  std::array<Seen8<D>, most_packets> seen;
  std::array<unsigned, most_packets> near;  // bits
  std::array<float, most_packets> slack;
};

template <std::size_t D>
ABUT_INLINE Face<D> nearest_face(const PacketView<D>& view, const Met& met, const Sight<D>& sight,
                                 const FaceLanes& faces) {
  Face<D> face;
  for (unsigned lane = 0; lane < 8; ++lane)
    face.distance = faces.distance[lane] < face.distance ? faces.distance[lane] : face.distance;
  if (face.distance >= Face<D>::none) return face;
  face.lane =
      static_cast<unsigned>(__builtin_ctz(bits_of(faces.distance <= Floats{} + face.distance)));
  face.packet = static_cast<std::size_t>(faces.packet[face.lane]);
  const bool below = sight.seen[face.packet].above[face.lane] < 0;
  for (std::size_t k = 0; k < D; ++k) {
    const float own = view.packets[met.packets[face.packet]].plane.normal[k][face.lane];
    face.normal[k] = below ? -own : own;
  }
  return face;
}

// All lanes that are near, if there is room for them.
template <std::size_t D>
void list_near(const Met& met, const Sight<D>& sight, NearPieces& list) {
  std::size_t size = 0;
  for (std::size_t i = 0; i < met.count; ++i)
    for (unsigned todo = sight.near[i]; todo != 0; todo &= todo - 1) {
      if (size == NearPieces::most) {
        list.size = 0;
        return;
      }
      list.pieces[size++] = met.packets[i] * 8 + static_cast<unsigned>(__builtin_ctz(todo));
    }
  list.size = size;
}

// Whether the face pushes alone.
template <std::size_t D>
ABUT_INLINE bool alone(const PacketView<D>& view, const Met& met, const Sight<D>& sight,
                       const Face<D>& face) {
  if (!(face.distance >= 0.5F + 2 * sight.slack[face.packet] && face.distance <= 1.5F))
    return false;
  for (std::size_t i = 0; i < met.count; ++i) {
    unsigned others = sight.near[i];
    if (i == face.packet) others &= ~(1U << face.lane);
    if (others == 0) continue;
    const float rough = sight.slack[i] + sight.slack[face.packet];
    if ((others & ~harmless(view.packets[met.packets[i]], sight.seen[i], face, rough)) != 0)
      return false;
  }
  return true;
}

template <std::size_t D>
void look_into(const PacketView<D>& view, const PacketQuestion<D>& question, const Met& met,
               PacketAnswer& answer) {
  answer.glance = met.count > most_packets ? Glance::more : Glance::nothing;
  answer.pieces.size = 0;
  if (met.count > most_packets) return;
  Sight<D> sight;
  FaceLanes faces{Floats{} + Face<D>::none, Bits{}};
  unsigned any = 0;
  for (std::size_t i = 0; i < met.count; ++i) {
    const Packet<D>& packet = view.packets[met.packets[i]];
    const double far = question.reach * packet.per_size;
    if (!(far < beyond_float)) {
      answer.glance = Glance::more;
      return;
    }
    const double per_far = packet.size * question.per_reach;
    look(packet, question.centre, question.reach, sight.seen[i]);
    sight.slack[i] = static_cast<float>(packet.slack * (1 + per_far) + question.rounding);
    sight.seen[i].per_far = static_cast<float>(per_far);
    sight.near[i] = bits_of(sight.seen[i].near) & packet.present;
    any |= sight.near[i];
    find_faces(sight.seen[i], static_cast<int>(i), sight.slack[i], faces);
  }
  if (any == 0) return;
  const Face<D> face = nearest_face(view, met, sight, faces);
  if (alone(view, met, sight, face)) {
    answer.glance = Glance::face;
    answer.pieces.size = 1;
    answer.pieces.pieces[0] = met.packets[face.packet] * 8 + face.lane;
    return;
  }
  answer.glance = Glance::more;
  list_near(met, sight, answer.pieces);
}

// In steps, each for all: what the next step needs is on its way while others have their turn.
template <std::size_t D>
void ask(const PacketView<D>& view, std::span<const PacketQuestion<D>> questions,
         PacketAnswer* answers) {
  std::array<Met, Looking<D>::most> met;
  for (std::size_t i = 0; i < questions.size(); ++i) {
    meet_boxes(view, questions[i], met[i]);
    fetch(view.packets[met[i].packets[0]]);  // seldom there are more than two
    fetch(view.packets[met[i].packets[met[i].count > 1 ? 1 : 0]]);
  }
  for (std::size_t i = 0; i < questions.size(); ++i) {
    look_into(view, questions[i], met[i], answers[i]);
    for (const std::uint32_t piece : answers[i].pieces.all())
      fetch(view.exact + piece * view.exact_bytes, view.exact_bytes);
  }
}

// NOLINTEND(cppcoreguidelines-pro-type-reinterpret-cast)
