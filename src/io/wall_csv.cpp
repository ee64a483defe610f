#include "io/wall_csv.hpp"

#include <string_view>

#include "io/steps.hpp"

namespace abut {
namespace {

std::string_view name_of(Feature feature) {
  switch (feature) {
    case Feature::face:
      return "face";
    case Feature::edge:
      return "edge";
    default:
      return "corner";
  }
}

}  // namespace

template <std::size_t D>
void write_wall_contacts_csv(OutputFile& out, std::span<const WallContact<D>> contacts,
                             std::span<const std::int64_t> ids, const Progress& progress) {
  out << "particle,wall,feature,gap," << (D == 2 ? "nx,ny,px,py\n" : "nx,ny,nz,px,py,pz\n");
  Steps steps(progress, contacts.size());
  std::size_t written = 0;
  for (const WallContact<D>& contact : contacts) {
    if (ids.empty())
      out << contact.particle;
    else
      out << ids[contact.particle];
    out << ',' << contact.wall << ',' << name_of(contact.feature) << ',' << contact.gap;
    // Nobody wants to read of −0: the sum of it and 0 is 0.
    for (const double x : contact.normal) out << ',' << x + 0.0;
    for (const double x : contact.point) out << ',' << x + 0.0;
    out << '\n';
    steps.reached([&] { return written; });
    ++written;
  }
}

template void write_wall_contacts_csv<2>(OutputFile&, std::span<const WallContact<2>>,
                                         std::span<const std::int64_t>, const Progress&);
template void write_wall_contacts_csv<3>(OutputFile&, std::span<const WallContact<3>>,
                                         std::span<const std::int64_t>, const Progress&);

}  // namespace abut
