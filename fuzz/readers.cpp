#include "readers.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <abut/error.hpp>
#include <abut/walls.hpp>
#include <algorithm>
#include <array>
#include <cstring>
#include <exception>
#include <filesystem>
#include <fstream>
#include <optional>
#include <stdexcept>

#include "core/message.hpp"
#include "frames/dataset.hpp"
#include "frames/frame_source.hpp"
#include "io/case_file.hpp"
#include "io/checkpoint_file.hpp"
#include "io/contact_csv.hpp"
#include "io/lammps_data.hpp"
#include "io/mesh_file.hpp"
#include "io/particle_file.hpp"
#include "io/vtk_writer.hpp"
#include "serve/binary_message.hpp"
#include "serve/view_server.hpp"

namespace abut::fuzz {
namespace {

namespace fs = std::filesystem;

// What a reader must not do.
struct Finding : std::logic_error {
  using std::logic_error::logic_error;
};

void check_error(const Error& error) {
  const std::string_view text = error.what();
  constexpr std::size_t max_bytes = 1500;  // with two paths of temporary files
  const auto is_control = [](unsigned char c) { return c < 0x20 || c == 0x7f; };
  if (text.empty() || text.size() > max_bytes || std::ranges::any_of(text, is_control))
    throw Finding(message("an error message of ", text.size(),
                          " bytes that is not one line of reasonable length: ", text));
}

// For readers that read their input in several ways.
template <class Read>
void attempt(const Read& read) {
  try {
    read();
  } catch (const Error& error) {
    check_error(error);
  }
}

// ---- files

void write_file(const std::string& path, std::string_view bytes) {
  std::ofstream file(path, std::ios::binary);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (!file.flush()) throw std::runtime_error("cannot write " + path);
}

// A folder of this process for temporary files, with files that cases and shapes may refer to.
class InputFolder {
 public:
  InputFolder()
      : path_(fs::temp_directory_path() / message("abut_readers_", static_cast<int>(getpid()))) {
    fs::create_directories(path_);
    write_file(path("box.obj"),
               "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
    write_file(path("list.csv"), "x,y,z,r\n0,0,0.5,0.1\n0,0,0.75,0.125\n");
    fs::create_directories(path("view"));
    write_file(path("view/particles.csv"), "x,y,z,r\n0,0,0,0.5\n0.75,0,0,0.5\n");
  }
  ~InputFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  InputFolder(const InputFolder&) = delete;
  InputFolder& operator=(const InputFolder&) = delete;

  [[nodiscard]] std::string path(std::string_view name) const { return (path_ / name).string(); }

 private:
  fs::path path_;
};

const InputFolder& input_folder() {
  static const InputFolder folder;
  return folder;
}

std::string text_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// ---- particles

void read_particle_text(const std::string& path) {
  for (const int dimension : {0, 2, 3})
    attempt([&] { (void)read_particles(path, {}, dimension, {}); });
  for (const int dimension : {2, 3})
    attempt([&] {
      const Bounds bounds{"bounds.txt", dimension, {-10, -10, -10}, {10, 10, 10}};
      (void)read_particles(path, bounds, dimension, {});
    });
}

// Everything that a case or `detect` uses of a particle file: all columns, the box, and the names
// and lines of particles in messages.
void read_all_of_particles(const std::string& path) {
  const auto read = [&](const std::optional<Bounds>& bounds, int dimension) {
    const ParticleText text(path);
    ParticleFile file = read_particles(text, bounds, dimension, ParticleContents::all, {});
    const auto check_size = [&](const auto& array) {
      if (!array.empty() && array.size() != file.size())
        throw Finding("arrays of different length");
    };
    check_size(file.ids);
    check_size(file.velocity);
    check_size(file.angular_velocity);
    check_size(file.density);
    check_size(file.fixed);
    check_size(file.material);
    for (const std::uint32_t material : file.material)
      if (material >= file.material_names.size()) throw Finding("a material without a name");
    if (file.size() > 0) {
      (void)particle_name(file, file.size() - 1);
      (void)particle_line(text, file, file.size() - 1);
    }
    attempt([&] { check_box(text, file, bounds, {true, true, false}); });
    for (const std::string& warning : file.warnings) check_error(Error(warning));
  };
  for (const int dimension : {2, 3}) {
    attempt([&] { read({}, dimension); });
    attempt([&] {
      read(Bounds{"bounds.txt", dimension, {-10, -10, -10}, {10, 10, 10}}, dimension);
    });
  }
  read({}, 0);
}

void read_contact_text(const std::string& path) {
  (void)csv_kind(path);
  (void)read_contacts(path);
}

// ---- meshes and shapes

template <std::size_t D>
void use_mesh(const Mesh<D>& mesh) {
  const MeshReport report = inspect_mesh(mesh);
  if (!report.is_closed()) return;
  const MeshInterior<D> interior(mesh);
  (void)interior.contains(interior.bounding_box().min);
}

void read_mesh_bytes(const std::string& path) {
  attempt([&] { use_mesh(read_mesh(path, 2).segments); });
  attempt([&] { use_mesh(read_mesh(path, 3).triangles); });
}

std::string with_facet_count(std::string bytes) {
  const bool is_kept = bytes.size() < stl_header_size || bytes[0] == '\xff';
  if (is_kept) return bytes;
  const std::size_t count = (bytes.size() - stl_header_size) / stl_facet_size;
  bytes.resize(stl_header_size + stl_facet_size * count);
  for (std::size_t i = 0; i < 4; ++i) bytes[80 + i] = static_cast<char>(count >> (8 * i));
  return bytes;
}

void read_shapes(const std::string& path) { (void)read_block_outlines(path); }

// ---- output of runs

void read_frame(const std::string& path) {
  const Dataset dataset(path);
  const FrameData frame = dataset.frame(0);
  (void)encode_frame(frame);
  (void)encode_contacts(frame);
}

void read_series(const std::string& path) {
  attempt([&] { (void)VtkSeries::resume(path, 1e300); });
  (void)VtkSeries::resume(path, 0.1);
}

void read_state(const std::string& path) {
  const auto step = [&]() -> std::optional<std::uint64_t> {
    try {
      return verify_checkpoint(path);
    } catch (const Error& error) {
      check_error(error);
      return std::nullopt;
    }
  }();
  const Checkpoint checkpoint(path);
  if (checkpoint.step() != step) throw Finding("verify_checkpoint and Checkpoint differ");
  for (const CheckpointSection& section : checkpoint.sections()) {
    attempt([&] { (void)checkpoint.get<double>(section.name); });
    attempt([&] { (void)checkpoint.value<std::uint64_t>(section.name); });
  }
}

template <class T>
T value_at(const std::string& bytes, std::size_t at) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

template <class T>
void set_value(std::string& bytes, std::size_t at, const T& value) {
  std::memcpy(bytes.data() + at, &value, sizeof value);
}

// Writes the checksums of the sections that lie within the file to its directory, which ends at
// `end`. Returns their number.
std::uint64_t set_section_checksums(std::string& bytes, std::size_t end) {
  std::size_t data = end + sizeof(Checksum);
  std::uint64_t count = 0;
  for (std::size_t at = sizeof(CheckpointHeader); end - at >= sizeof(CheckpointEntry); ++count) {
    auto entry = value_at<CheckpointEntry>(bytes, at);
    const std::size_t size = traits_of(static_cast<ElementType>(entry.type)).size;
    const bool is_inside = size > 0 && entry.count <= (bytes.size() - data) / size &&
                           entry.name_size <= end - at - sizeof entry;
    if (!is_inside) return count;
    entry.checksum = checksum_of(bytes.data() + data, entry.count * size);
    set_value(bytes, at, entry);
    data += entry.count * size;
    at += sizeof entry + entry.name_size;
  }
  return count;
}

std::string with_checksums(std::string bytes) {
  if (bytes.size() < sizeof(CheckpointHeader) + sizeof(Checksum) || bytes[0] != '\x89')
    return bytes;
  auto header = value_at<CheckpointHeader>(bytes, 0);
  header.magic = CheckpointHeader::expected_magic;
  header.byte_order = CheckpointHeader::expected_byte_order;
  header.version = CheckpointHeader::expected_version;
  header.file_size = bytes.size();
  header.directory_size = std::min<std::uint64_t>(
      header.directory_size, bytes.size() - sizeof(CheckpointHeader) - sizeof(Checksum));
  const std::size_t end = sizeof header + header.directory_size;
  header.section_count = set_section_checksums(bytes, end);
  set_value(bytes, 0, header);
  set_value(bytes, end, checksum_of(bytes.data(), end));
  return bytes;
}

// ---- HTTP

constexpr std::array viewer_page{
    EmbeddedFile{"/index.html", "text/html; charset=utf-8", "<p>the page</p>"},
    EmbeddedFile{"/viewer.js", "text/javascript", "let script;"}};

// A server without threads, which responds to bytes that are sent through a pair of sockets.
class RequestReader {
 public:
  RequestReader() : server_(input_folder().path("view"), viewer_page) {}

  std::string response_to(std::string request) {
    constexpr std::string_view host = "127.0.0.1:8080";  // as in the seeds
    if (const std::size_t at = request.find(host); at != std::string::npos)
      request.replace(at, host.size(), message("127.0.0.1:", port_));
    std::array<int, 2> sockets{};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets.data()) != 0)
      throw std::runtime_error("socketpair failed");
    const ssize_t sent = send(sockets[0], request.data(), request.size(), MSG_NOSIGNAL);
    shutdown(sockets[0], SHUT_WR);
    if (sent == static_cast<ssize_t>(request.size())) server_.respond(sockets[1]);
    close(sockets[1]);
    std::string response;
    std::array<char, 65536> buffer{};
    for (ssize_t count = 0; (count = recv(sockets[0], buffer.data(), buffer.size(), 0)) > 0;)
      response.append(buffer.data(), static_cast<std::size_t>(count));
    close(sockets[0]);
    return response;
  }

 private:
  ViewServer server_;
  int port_ = server_.bind_port(0);
};

void read_request(const std::string& path) {
  static RequestReader reader;
  const std::string response = reader.response_to(text_of(path));
  if (!response.empty() && !response.starts_with("HTTP/1.1 "))
    throw Finding("the response is not HTTP: " + response.substr(0, 100));
}

constexpr std::array all_readers{
    Reader{"particles", "particles.csv", read_particle_text},
    Reader{"elements", "elements.txt", read_particle_text},
    Reader{"particle_csv", "particles.csv", read_all_of_particles},
    Reader{"particle_table", "particles.txt", read_all_of_particles},
    Reader{"lammps_dump", "atoms.dump", read_all_of_particles},
    Reader{"lammps_particles", "atoms.data", read_all_of_particles},
    Reader{"frame_particles", "frame.vtp", read_all_of_particles},
    Reader{"bounds", "bounds.txt", [](const std::string& path) { (void)read_demcda_bounds(path); }},
    Reader{"lammps", "atoms.data", [](const std::string& path) { (void)read_lammps_data(path); }},
    Reader{"contacts", "contacts.csv", read_contact_text},
    Reader{"ascii_stl", "mesh.stl", read_mesh_bytes},
    Reader{"binary_stl", "mesh.stl", read_mesh_bytes, with_facet_count},
    Reader{"obj", "mesh.obj", read_mesh_bytes},
    Reader{"segments", "segments.csv", read_mesh_bytes},
    Reader{"polygons", "polygons.csv", read_shapes},
    Reader{"shapes", "shapes.json", read_shapes},
    Reader{"case", "case.toml", [](const std::string& path) { (void)read_case(path); }},
    Reader{"vtp", "frame.vtp", read_frame},
    Reader{"pvd", "run.pvd", read_series},
    Reader{"checkpoint", "state.abut", read_state, with_checksums},
    Reader{"http", "request.txt", read_request},
};

}  // namespace

std::span<const Reader> readers() { return all_readers; }

const Reader* find_reader(std::string_view name) {
  const auto* const found = std::ranges::find(all_readers, name, &Reader::name);
  return found == all_readers.end() ? nullptr : found;
}

std::string check_reader(const Reader& reader, std::span<const std::uint8_t> bytes) {
  std::string input(bytes.begin(), bytes.end());
  if (reader.repaired != nullptr) input = reader.repaired(std::move(input));
  const std::string path = input_folder().path(reader.file_name);
  write_file(path, input);
  std::string report;
  try {
    attempt([&] { reader.read(path); });
  } catch (const Finding& finding) {
    report = finding.what();
  } catch (const std::exception& error) {
    report = message("an exception other than abut::Error: ", error.what());
  }
  fs::remove(path);
  return report;
}

}  // namespace abut::fuzz
