#pragma once

#include <ranges>

namespace abut {

/// An array that outlives a view of it: any but a temporary vector.
template <class R>
concept LastingArray = std::ranges::contiguous_range<R> && std::ranges::sized_range<R> &&
    std::ranges::borrowed_range<R>;

}  // namespace abut
