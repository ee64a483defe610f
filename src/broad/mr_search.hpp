#pragma once

#include <abut/pair.hpp>
#include <array>
#include <cstddef>

#include "broad/mr_list.hpp"
#include "core/half_mask.hpp"

namespace abut {

// MR-linear search (Munjiza, Rougier, John 2006, section 5): a contact mask is made of rows of
// cells, and a row is a stretch of a sorted list.

/// The rows of a mask, each with its beginning node and the one that ends it. As the central cell
/// moves on in the order of the list, these only advance.
template <std::size_t D, std::size_t Rows>
class MrMask {
 public:
  using Cell = typename Grid<D>::Cell;
  using Offsets = std::array<std::array<int, D - 1>, Rows>;

  explicit MrMask(const Offsets& rows) : rows_(rows) {}

  template <class List, class Counter>
  void move_to(const Cell& centre, const List& list, Counter& counter) {
    for (std::size_t row = 0; row < Rows; ++row) {
      const Cell first = moved<D>(centre, rows_[row], -1);
      begin_[row] = placed_ ? list.advance(begin_[row], first, counter) : list.find(first, counter);
      end_[row] =
          list.advance(placed_ ? end_[row] : begin_[row], moved<D>(centre, rows_[row], 2), counter);
    }
    placed_ = true;
  }

  [[nodiscard]] Index begin(std::size_t row) const { return begin_[row]; }
  [[nodiscard]] Index end(std::size_t row) const { return end_[row]; }

 private:
  const Offsets& rows_;
  std::array<Index, Rows> begin_{};
  std::array<Index, Rows> end_{};
  bool placed_ = false;
};

/// The nodes from one mark to another; `arrive(cell)` is called before the first of each cell.
template <std::size_t D, class List, class Arrive, class Visit>
void parse(const List& list, std::size_t first_mark, std::size_t last_mark, const Arrive& arrive,
           const Visit& visit) {
  const auto marks = list.marks();
  const Index end = last_mark < marks.size() ? marks[last_mark] : List::head;
  Index node = marks[first_mark];
  if (node == end) return;
  typename List::Cell cell = list.cell(node);
  arrive(cell);
  for (; node != end; node = list.next(node)) {
    if (!same<D>(list.cell(node), cell)) arrive(cell = list.cell(node));
    visit(node);
  }
}

/// Nodes of one list with each other, by half the neighbours: its own row up to the node itself,
/// and the rows of HalfMask.
template <std::size_t D, class List, class Judge>
void search_within(const List& list, const NodeSource<D>& source, std::size_t first_mark,
                   std::size_t last_mark, Judge& judge) {
  constexpr auto& rows = HalfMask<D>::rows;
  static constexpr std::array<std::array<int, D - 1>, 1> own_row{};
  MrMask<D, 1> own(own_row);
  MrMask<D, rows.size()> mask(rows);
  const auto arrive = [&](const typename List::Cell& cell) {
    own.move_to(cell, list, judge.counter());
    mask.move_to(cell, list, judge.counter());
  };
  parse<D>(list, first_mark, last_mark, arrive, [&](Index node) {
    const Index particle = source.particle(node);
    for (Index target = own.begin(0); target != node; target = list.next(target))
      judge(particle, source.particle(target));
    for (std::size_t row = 0; row < rows.size(); ++row)
      for (Index target = mask.begin(row); target != mask.end(row); target = list.next(target))
        judge(particle, source.particle(target));
  });
}

/// Nodes of one list with those of another, by the rows of a mask.
template <class Mask, std::size_t D, class List, class Judge>
void search_across(const List& contactors, const NodeSource<D>& contactor, const List& targets,
                   const NodeSource<D>& target, std::size_t first_mark, std::size_t last_mark,
                   Judge& judge) {
  constexpr auto& rows = Mask::rows;
  MrMask<D, rows.size()> mask(rows);
  const auto arrive = [&](const typename List::Cell& cell) {
    mask.move_to(cell, targets, judge.counter());
  };
  parse<D>(contactors, first_mark, last_mark, arrive, [&](Index node) {
    const Index particle = contactor.particle(node);
    for (std::size_t row = 0; row < rows.size(); ++row)
      for (Index at = mask.begin(row); at != mask.end(row); at = targets.next(at))
        judge(particle, target.particle(at));
  });
}

}  // namespace abut
