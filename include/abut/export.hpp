#pragma once

// What a shared libabut exports: ABUT_API marks it, and everything else is compiled with hidden
// visibility. On a template it also applies to the explicit instantiations in the library.
// ABUT_LOCAL hides a nested class of an exported one, such as a private implementation.
#if defined(__GNUC__)
#define ABUT_API __attribute__((visibility("default")))
#define ABUT_LOCAL __attribute__((visibility("hidden")))
#else
#define ABUT_API
#define ABUT_LOCAL
#endif
