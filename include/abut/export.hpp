#pragma once

/// Marks what a shared libabut exports. Everything else is compiled with hidden visibility.
/// Class templates and function templates carry it on the template: their explicit instantiations
/// in the library inherit it.
#if defined(__GNUC__)
#define ABUT_API __attribute__((visibility("default")))
#else
#define ABUT_API
#endif
