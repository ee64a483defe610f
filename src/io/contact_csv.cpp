#include "io/contact_csv.hpp"

#include <algorithm>
#include <string_view>

#include "core/message.hpp"
#include "io/output_file.hpp"
#include "io/text_input.hpp"

namespace abut {
namespace {

// Reads a row into the arrays of a table by the titles of the columns: a, b, gap, area, nx … iz.
// Other columns are ignored.
class ContactRow {
 public:
  ContactRow(ContactTable& table, const std::vector<std::string>& titles) : table_(table) {
    for (const std::string& title : titles) targets_.push_back(find_target(title));
  }

  [[nodiscard]] std::size_t size() const { return targets_.size(); }

  void begin_row() { normal_ = point_ = image_ = {}; }

  void read(Scanner& scan, std::size_t column, std::size_t contact) {
    const Target& target = targets_[column];
    if (target.number != nullptr)
      target.number->push_back(scan.number({target.column, "contact", contact}));
    else if (target.id != nullptr)
      target.id->push_back(scan.integer<std::int64_t>({target.column, "contact", contact}));
    else if (target.component != nullptr)
      *target.component = scan.number({target.column, "contact", contact});
    else
      scan.field();
  }

  void finish_row() {
    if (has_vector_[0]) table_.normal.push_back(normal_);
    if (has_vector_[1]) table_.point.push_back(point_);
    if (has_vector_[2]) table_.image.push_back(image_);
  }

 private:
  // Where a column goes; at most one pointer is set, none for a column to be ignored.
  struct Target {
    std::string column;
    std::vector<std::int64_t>* id = nullptr;
    std::vector<double>* number = nullptr;
    double* component = nullptr;
  };

  Target find_target(const std::string& title) {
    if (title == "a") return {title, &table_.a};
    if (title == "b") return {title, &table_.b};
    if (title == "gap") return {title, nullptr, &table_.gap};
    if (title == "area") return {title, nullptr, &table_.area};
    const std::size_t kind = title.size() == 2 ? std::string_view("npi").find(title[0]) : 9;
    const std::size_t axis = title.size() == 2 ? std::string_view("xyz").find(title[1]) : 9;
    if (kind > 2 || axis > 2) return {title};
    has_vector_[kind] = true;
    std::array<double, 3>& vector = kind == 0 ? normal_ : kind == 1 ? point_ : image_;
    return {title, nullptr, nullptr, &vector[axis]};
  }

  ContactTable& table_;
  std::array<double, 3> normal_{};
  std::array<double, 3> point_{};
  std::array<double, 3> image_{};
  std::array<bool, 3> has_vector_{};
  std::vector<Target> targets_;
};

}  // namespace

CsvKind csv_kind(const std::string& path) {
  const std::vector<std::string> titles = csv_titles(read_file_prefix(path));
  const auto has = [&](const char* title) {
    return std::ranges::find(titles, title) != titles.end();
  };
  if (has("a") && has("b") && has("gap"))
    return has("px") ? CsvKind::block_contacts : CsvKind::contacts;
  if (!has("x") || !has("y")) return CsvKind::unknown;
  if (has("particle")) return CsvKind::polygons;
  return has("r") || has("radius") ? CsvKind::particles : CsvKind::unknown;
}

ContactTable read_contacts(const std::string& path) {
  const InputFile file(path);
  Scanner scan(path, file.text(), ',');
  scan.skip_whitespace();
  ContactTable table;
  const std::vector<std::string> titles = read_csv_header(scan);
  constexpr std::array<std::string_view, 3> required{"a", "b", "gap"};
  (void)match_csv_columns(scan, titles, required, "contacts begin with a,b,gap");
  if (std::ranges::find(titles, "measure") != titles.end())
    scan.fail({"measure"}, "column of an older format, now named area; write the contacts again");
  ContactRow row(table, titles);
  for (scan.skip_whitespace(); !scan.at_end(); scan.skip_whitespace()) {
    const std::size_t number = table.gap.size();
    row.begin_row();
    read_csv_row(scan, row.size(), "contact", number,
                 [&](std::size_t i) { row.read(scan, i, number); });
    row.finish_row();
  }
  return table;
}

namespace {

std::string_view feature_name(Feature feature) {
  switch (feature) {
    case Feature::face:
      return "face";
    case Feature::edge:
      return "edge";
    default:
      return "vertex";
  }
}

}  // namespace

template <std::size_t D>
void write_wall_contacts_csv(OutputFile& out, std::span<const WallContact<D>> contacts,
                             std::span<const std::int64_t> ids, const Progress& progress) {
  out << "particle,facet,feature,gap," << (D == 2 ? "nx,ny,px,py\n" : "nx,ny,nz,px,py,pz\n");
  ProgressThrottle throttle(progress, contacts.size());
  std::size_t written = 0;
  for (const WallContact<D>& contact : contacts) {
    if (ids.empty())
      out << contact.particle;
    else
      out << ids[contact.particle];
    out << ',' << contact.element.value() << ',' << feature_name(contact.feature) << ','
        << contact.gap;
    // Adding 0 turns −0 into 0.
    for (const double x : contact.normal) out << ',' << x + 0.0;
    for (const double x : contact.point) out << ',' << x + 0.0;
    out << '\n';
    throttle.advance([&] { return written; });
    ++written;
  }
}

template void write_wall_contacts_csv<2>(OutputFile&, std::span<const WallContact<2>>,
                                         std::span<const std::int64_t>, const Progress&);
template void write_wall_contacts_csv<3>(OutputFile&, std::span<const WallContact<3>>,
                                         std::span<const std::int64_t>, const Progress&);

template <std::size_t D>
void write_block_contacts_csv(OutputFile& out, std::span<const BlockContact<D>> contacts,
                              std::span<const std::int64_t> ids, bool images,
                              const Progress& progress) {
  out << "a,b,gap," << (D == 2 ? "nx,ny,px,py" : "nx,ny,nz,px,py,pz") << ",area";
  if (images) out << (D == 2 ? ",ix,iy" : ",ix,iy,iz");
  out << '\n';
  ProgressThrottle throttle(progress, contacts.size());
  std::size_t written = 0;
  for (const BlockContact<D>& contact : contacts) {
    out << ids[contact.a] << ',' << ids[contact.b] << ',' << contact.plane.gap;
    // Adding 0 turns −0 into 0.
    for (const double x : contact.plane.normal) out << ',' << x + 0.0;
    for (const double x : contact.point) out << ',' << x + 0.0;
    out << ',' << contact.area;
    if (images)
      for (const std::int32_t count : contact.image) out << ',' << count;
    out << '\n';
    throttle.advance([&] { return written; });
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
