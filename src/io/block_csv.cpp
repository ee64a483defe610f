#include "io/block_csv.hpp"

#include "io/steps.hpp"

namespace abut {

template <std::size_t D>
void write_block_contacts_csv(OutputFile& out, std::span<const BlockContact<D>> contacts,
                              std::span<const std::int64_t> ids, bool images,
                              const Progress& progress) {
  out << "a,b,gap," << (D == 2 ? "nx,ny,px,py" : "nx,ny,nz,px,py,pz") << ",measure";
  if (images) out << (D == 2 ? ",ix,iy" : ",ix,iy,iz");
  out << '\n';
  Steps steps(progress, contacts.size());
  std::size_t written = 0;
  for (const BlockContact<D>& contact : contacts) {
    out << ids[contact.a] << ',' << ids[contact.b] << ',' << contact.plane.gap;
    // Nobody wants to read of −0: the sum of it and 0 is 0.
    for (const double x : contact.plane.normal) out << ',' << x + 0.0;
    for (const double x : contact.point) out << ',' << x + 0.0;
    out << ',' << contact.measure;
    if (images)
      for (const std::int32_t periods : contact.image) out << ',' << periods;
    out << '\n';
    steps.reached([&] { return written; });
    ++written;
  }
}

template void write_block_contacts_csv<2>(OutputFile&, std::span<const BlockContact<2>>,
                                          std::span<const std::int64_t>, bool, const Progress&);
template void write_block_contacts_csv<3>(OutputFile&, std::span<const BlockContact<3>>,
                                          std::span<const std::int64_t>, bool, const Progress&);

void write_polygons_csv(OutputFile& out, std::span<const std::vector<Point<2>>> polygons) {
  out << "particle,x,y\n";
  for (std::size_t i = 0; i < polygons.size(); ++i)
    for (const auto& [x, y] : polygons[i]) out << i << ',' << x << ',' << y << '\n';
}

}  // namespace abut
