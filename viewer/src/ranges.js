import { rangeOf } from './fields.js';

/** The range of colours of each quantity: of all frames seen so far, unless the reader has set it. */
export class Ranges {
  #seen = new Map();
  #chosen = new Map();

  of(name, values) {
    const [low, high] = rangeOf(values);
    const before = this.#seen.get(name) ?? [low, high];
    this.#seen.set(name, [Math.min(low, before[0]), Math.max(high, before[1])]);
    return this.current(name);
  }

  /** Grows to hold this one. */
  widen(name, [low, high]) {
    return this.of(name, [low, high]);
  }

  current(name) {
    return this.#chosen.get(name) ?? this.#seen.get(name) ?? [0, 1];
  }

  choose(name, low, high) {
    if (Number.isFinite(low) && Number.isFinite(high) && low < high)
      this.#chosen.set(name, [low, high]);
  }

  auto(name) {
    this.#chosen.delete(name);
  }
}
