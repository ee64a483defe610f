// LAMMPS and LIGGGHTS dumps of the style custom. Of several frames the last one is read.
#include <algorithm>
#include <utility>

#include "core/input_checks.hpp"
#include "core/message.hpp"
#include "io/lammps_data.hpp"
#include "io/particle_formats.hpp"

namespace abut {
namespace {

// Positions may be wrapped or unwrapped (xu), and relative to the box (xs, xsu). Image flags,
// forces and torques are not needed.
constexpr std::array dump_columns{
    NamedColumn{"x", ParticleColumn::x},
    NamedColumn{"y", ParticleColumn::y},
    NamedColumn{"z", ParticleColumn::z},
    NamedColumn{"xu", ParticleColumn::x},
    NamedColumn{"yu", ParticleColumn::y},
    NamedColumn{"zu", ParticleColumn::z},
    NamedColumn{"xs", ParticleColumn::x},
    NamedColumn{"ys", ParticleColumn::y},
    NamedColumn{"zs", ParticleColumn::z},
    NamedColumn{"xsu", ParticleColumn::x},
    NamedColumn{"ysu", ParticleColumn::y},
    NamedColumn{"zsu", ParticleColumn::z},
    NamedColumn{"radius", ParticleColumn::radius},
    NamedColumn{"diameter", ParticleColumn::diameter},
    NamedColumn{"density", ParticleColumn::density},
    NamedColumn{"id", ParticleColumn::id},
    NamedColumn{"type", ParticleColumn::material},
    NamedColumn{"vx", ParticleColumn::vx},
    NamedColumn{"vy", ParticleColumn::vy},
    NamedColumn{"vz", ParticleColumn::vz},
    NamedColumn{"omegax", ParticleColumn::wx},
    NamedColumn{"omegay", ParticleColumn::wy},
    NamedColumn{"omegaz", ParticleColumn::wz},
    NamedColumn{"ix", ParticleColumn::unused},
    NamedColumn{"iy", ParticleColumn::unused},
    NamedColumn{"iz", ParticleColumn::unused},
    NamedColumn{"fx", ParticleColumn::unused},
    NamedColumn{"fy", ParticleColumn::unused},
    NamedColumn{"fz", ParticleColumn::unused},
    NamedColumn{"tqx", ParticleColumn::unused},
    NamedColumn{"tqy", ParticleColumn::unused},
    NamedColumn{"tqz", ParticleColumn::unused},
};

constexpr std::string_view frame_mark = "ITEM: TIMESTEP";

class LammpsDumpReader {
 public:
  LammpsDumpReader(const ParticleText& text, const ParticleRequest& request)
      : text_(text.text()), scan_(text.name(), text_), request_(request) {
    file_.format = ParticleFormat::lammps_dump;
    file_.dimension = request.dimension == 2 ? 2 : 3;
  }

  ParticleFile read() {
    find_last_frame();
    std::string item = next_item();
    for (; !item.starts_with("ATOMS"); item = next_item()) read_item(item);
    if (!count_) scan_.fail({"NUMBER OF ATOMS"}, "missing before ITEM: ATOMS");
    if (!file_.box) scan_.fail({"BOX BOUNDS"}, "missing before ITEM: ATOMS");
    read_atoms(words_of(item.substr(5)));
    return std::move(file_);
  }

 private:
  void find_last_frame() {
    std::size_t last = 0;
    std::size_t frames = 0;
    for (std::size_t at = text_.find(frame_mark); at != std::string_view::npos;
         at = text_.find(frame_mark, at + frame_mark.size()))
      if (at == 0 || text_[at - 1] == '\n' || text_[at - 1] == '\r') {
        last = at;
        ++frames;
      }
    if (frames > 1) frames_ = frames;
    if (frames > 0) scan_.advance_to(last);
  }

  // The rest of the current line.
  std::string_view take_line() {
    const char* const begin = text_.data() + (text_.size() - scan_.remaining());
    while (!scan_.at_line_end()) scan_.skip(scan_.peek());
    const char* const end = text_.data() + (text_.size() - scan_.remaining());
    scan_.skip_line_end();
    return {begin, static_cast<std::size_t>(end - begin)};
  }

  std::string next_item() {
    scan_.skip_whitespace();
    if (scan_.at_end())
      scan_.fail({"ITEM: ATOMS"}, "missing; the file is truncated, or not a dump of style custom");
    Scanner at_item = scan_;
    const std::string_view line = take_line();
    constexpr std::string_view mark = "ITEM: ";
    if (!line.starts_with(mark))
      at_item.fail(message("expected a line that begins with ITEM: , such as ", frame_mark));
    if (line.starts_with("ITEM: ATOMS")) scan_ = at_item;  // messages about the columns
    return std::string(line.substr(mark.size()));
  }

  static std::vector<std::string> words_of(std::string_view text) {
    std::vector<std::string> words;
    Scanner scan("", text);
    for (scan.skip_blanks(); !scan.at_line_end(); scan.skip_blanks()) {
      words.emplace_back(scan.word());
      scan.skip_word();
    }
    return words;
  }

  void read_item(const std::string& item) {
    scan_.skip_blanks();
    if (item.starts_with("NUMBER OF ATOMS")) {
      count_ = scan_.integer<std::size_t>({"NUMBER OF ATOMS"});
      scan_.skip_blanks();
      if (!scan_.at_line_end())
        scan_.fail({"NUMBER OF ATOMS"}, scan_.word(), "unexpected value after the number");
    } else if (item.starts_with("BOX BOUNDS")) {
      read_box(words_of(item.substr(10)));
    } else if (item.starts_with("TIMESTEP")) {
      step_ = scan_.word();
      take_line();
    } else if (item.starts_with("TIME") || item.starts_with("UNITS")) {
      take_line();
    } else {
      scan_.fail({"ITEM"}, item, "unknown; must be TIMESTEP, NUMBER OF ATOMS, BOX BOUNDS or ATOMS");
    }
  }

  void read_box(const std::vector<std::string>& flags) {
    if (!flags.empty() && (flags[0] == "xy" || flags[0] == "abc"))
      scan_.fail({"BOX BOUNDS"}, triclinic_box_problem);
    ParticleBox box;
    for (std::size_t k = 0; k < 3; ++k) {
      scan_.skip_whitespace();
      box.box.min[k] = scan_.number({message(axis_names[k], "lo")});
      scan_.skip_blanks();
      box.box.max[k] = scan_.number({message(axis_names[k], "hi")});
      if (!(box.box.min[k] < box.box.max[k]))
        scan_.fail({message(axis_names[k], "hi")}, scan_.last_token(),
                   message("must exceed the lower bound ", box.box.min[k]));
      scan_.skip_blanks();
      if (!scan_.at_line_end()) scan_.fail({"BOX BOUNDS"}, triclinic_box_problem);
      box.periodic[k] = flags.size() == 3 && flags[k] == "pp";
    }
    file_.box = box;
  }

  // Whether the positions of an axis are relative to the box. Fails if the axis has no column.
  [[nodiscard]] bool check_axis(const ParticleTable& table, std::size_t k) const {
    const auto column = static_cast<ParticleColumn>(k);
    if (table.count(column) == 0)
      scan_.fail({axis_names[k]}, message("missing column; ", columns_hint));
    if (table.count(column) > 1)
      scan_.fail({axis_names[k]},
                 message("several columns; give one of ", axis_names[k], ", ", axis_names[k], "u, ",
                         axis_names[k], "s and ", axis_names[k], "su"));
    for (std::size_t i = 0; i < table.size(); ++i)
      if (table.title(i) == message(axis_names[k], "s") ||
          table.title(i) == message(axis_names[k], "su"))
        return true;
    return false;
  }

  // Of positions, `check_axis` reports the alternatives.
  void check_unique(const std::vector<std::string>& titles) const {
    for (const NamedColumn& known : dump_columns)
      if (known.column > ParticleColumn::z && std::ranges::count(titles, known.title) > 1)
        scan_.fail({known.title}, "duplicate column");
  }

  void read_atoms(std::vector<std::string> titles) {
    check_unique(titles);
    ParticleTable table(std::move(titles), dump_columns, request_.contents, file_);
    std::array<bool, 3> is_scaled{};
    for (std::size_t k = 0; k < 3; ++k) is_scaled[k] = check_axis(table, k);
    if (table.count(ParticleColumn::radius) + table.count(ParticleColumn::diameter) == 0)
      scan_.fail({"radius"}, message("missing column; ", columns_hint));
    table.check_vectors(scan_);
    table.warn_unknown();
    if (frames_ > 0)
      file_.warnings.push_back(
          message("has ", frames_, " frames; reading the last, of step ", step_));
    take_line();
    scan_.skip_whitespace();
    file_.first_row = text_.size() - scan_.remaining();
    ProgressThrottle throttle(request_.progress, text_.size());
    for (std::size_t number = 0; number < *count_; ++number) {
      scan_.skip_whitespace();
      if (scan_.at_end()) fail_truncated(number);
      read_row(table, number, is_scaled);
      throttle.advance([&] { return text_.size() - scan_.remaining(); });
    }
    table.finish();
    scan_.skip_whitespace();
    if (!scan_.at_end())
      scan_.fail(message("text after the last of ", *count_, " atoms; is NUMBER OF ATOMS right?"));
  }

  void read_row(ParticleTable& table, std::size_t number, const std::array<bool, 3>& is_scaled) {
    for (std::size_t i = 0; i < table.size(); ++i) {
      table.read_field(scan_, i, number);
      scan_.skip_blanks();
    }
    if (!scan_.at_line_end())
      scan_.fail(message("particle ", number, " has more than the ", table.size(),
                         " fields of ITEM: ATOMS"));
    const Box<3>& box = file_.box->box;
    for (std::size_t k = 0; k < 3; ++k)
      if (is_scaled[k])
        table.position()[k] = box.min[k] + table.position()[k] * (box.max[k] - box.min[k]);
    table.append_row();
    check_last_particle(scan_, file_, request_.bounds, "particle", number);
  }

  [[noreturn]] void fail_truncated(std::size_t found) const {
    scan_.fail(message("ends after ", found, " of ", *count_,
                       " atoms; the file is truncated: copy it again, or delete the last frame"));
  }

  static constexpr std::string_view columns_hint =
      "write the dump with: dump 1 all custom N FILE id type radius x y z vx vy vz omegax omegay "
      "omegaz";

  std::string_view text_;
  Scanner scan_;
  const ParticleRequest& request_;
  ParticleFile file_;
  std::optional<std::size_t> count_;
  std::string step_;
  std::size_t frames_ = 0;  // if there are several
};

}  // namespace

ParticleFile read_lammps_dump(const ParticleText& file, const ParticleRequest& request) {
  return LammpsDumpReader(file, request).read();
}

}  // namespace abut
