#include "io/contact_csv.hpp"

#include <algorithm>
#include <string_view>

#include "core/message.hpp"
#include "io/csv_header.hpp"
#include "io/scanner.hpp"
#include "io/text_file.hpp"

namespace abut {
namespace {

// Where a number of a row goes: a, b, gap, nx … iz, measure; or nowhere.
class ContactRow {
 public:
  ContactRow(ContactTable& table, const std::vector<std::string>& titles) : table_(table) {
    for (const std::string& title : titles) targets_.push_back(target_of(title));
  }

  [[nodiscard]] std::size_t size() const { return targets_.size(); }

  void begin() { normal_ = point_ = image_ = {}; }

  void read(Scanner& scan, std::size_t column, std::size_t contact) {
    const Target& to = targets_[column];
    if (to.number != nullptr)
      to.number->push_back(scan.number({to.title, "contact", contact}));
    else if (to.id != nullptr)
      to.id->push_back(scan.integer<std::int64_t>({to.title, "contact", contact}));
    else if (to.component != nullptr)
      *to.component = scan.number({to.title, "contact", contact});
    else
      scan.field();
  }

  void end() {
    if (has_[0]) table_.normal.push_back(normal_);
    if (has_[1]) table_.point.push_back(point_);
    if (has_[2]) table_.image.push_back(image_);
  }

 private:
  struct Target {
    std::string title;
    std::vector<std::int64_t>* id = nullptr;
    std::vector<double>* number = nullptr;
    double* component = nullptr;
  };

  Target target_of(const std::string& title) {
    if (title == "a") return {title, &table_.a};
    if (title == "b") return {title, &table_.b};
    if (title == "gap") return {title, nullptr, &table_.gap};
    if (title == "measure") return {title, nullptr, &table_.measure};
    const std::size_t kind = title.size() == 2 ? std::string_view("npi").find(title[0]) : 9;
    const std::size_t axis = title.size() == 2 ? std::string_view("xyz").find(title[1]) : 9;
    if (kind > 2 || axis > 2) return {title};
    has_[kind] = true;
    std::array<double, 3>& vector = kind == 0 ? normal_ : kind == 1 ? point_ : image_;
    return {title, nullptr, nullptr, &vector[axis]};
  }

  ContactTable& table_;
  std::array<double, 3> normal_{};
  std::array<double, 3> point_{};
  std::array<double, 3> image_{};
  std::array<bool, 3> has_{};
  std::vector<Target> targets_;
};

}  // namespace

CsvContent csv_content(const std::string& path) {
  const std::string text = beginning_of(path);
  if (!begins_like_csv(text)) return CsvContent::unknown;
  std::string_view line = text;
  line.remove_prefix(line.find_first_not_of(" \t\r\n"));
  line = line.substr(0, line.find_first_of("\r\n"));
  if (line.find(';') != std::string_view::npos) return CsvContent::unknown;
  Scanner scan(path, line, ',');
  const std::vector<std::string> titles = read_titles(scan);
  const auto has = [&](const char* title) {
    return std::ranges::find(titles, title) != titles.end();
  };
  if (has("a") && has("b") && has("gap"))
    return has("px") ? CsvContent::block_contacts : CsvContent::contacts;
  if (!has("x") || !has("y")) return CsvContent::unknown;
  if (has("particle")) return CsvContent::polygons;
  return has("r") || has("radius") ? CsvContent::particles : CsvContent::unknown;
}

ContactTable read_contacts(const std::string& path) {
  const TextFile file(path);
  Scanner scan(path, file.text(), ',');
  scan.skip_to_text();
  ContactTable table;
  const std::vector<std::string> titles = read_titles(scan);
  for (const char* title : {"a", "b", "gap"})
    if (std::ranges::count(titles, title) != 1)
      scan.fail(message("no column ", title, ", or two; contacts are a,b,gap and what follows"));
  ContactRow row(table, titles);
  for (scan.skip_to_text(); !scan.at_end(); scan.skip_to_text()) {
    const std::size_t number = table.gap.size();
    row.begin();
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i > 0 && !scan.skip(','))
        scan.fail(message("contact ", number, " has ", i, " fields, the header ", row.size()));
      scan.skip_blanks();
      row.read(scan, i, number);
      scan.skip_blanks();
    }
    if (!scan.at_line_end())
      scan.fail(message("contact ", number, " has more fields than the header's ", row.size()));
    row.end();
  }
  return table;
}

}  // namespace abut
