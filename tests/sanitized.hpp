#pragma once

namespace abut::testing {

/// Whether this is a build with the address sanitizer, which is about ten times slower; tests then
/// omit large repetitions of what they also check on small inputs.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
inline constexpr bool is_sanitized = true;
#else
inline constexpr bool is_sanitized = false;
#endif
#else
inline constexpr bool is_sanitized = false;
#endif

/// Whether this is a build with the thread sanitizer.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
inline constexpr bool is_thread_sanitized = true;
#else
inline constexpr bool is_thread_sanitized = false;
#endif
#else
inline constexpr bool is_thread_sanitized = false;
#endif

/// Number of random trials: `count`, or a fifth of it in sanitizer builds.
template <class Count>
constexpr Count trial_count(Count count) {
  return is_sanitized ? count / 5 : count;
}

}  // namespace abut::testing
