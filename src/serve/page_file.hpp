#pragma once

#include <span>
#include <string_view>

namespace abut {

/// A file of the page, as the browser asks for it.
struct PageFile {
  std::string_view address;  ///< "/viewer.js"
  std::string_view type;     ///< "text/javascript"
  std::string_view content;
};

/// The page that was built from viewer/; empty if the program was built without it.
std::span<const PageFile> page_files();

}  // namespace abut
