import { rangeOf } from './fields.js';

/** The color range of each field: that of all frames displayed so far, unless the user fixes it. */
export class ColorRanges {
  #automatic = new Map();
  #fixed = new Map();

  /**
   * Extends the automatic range of a field by these values, if there are any, and returns the range
   * in use.
   */
  extend(name, values) {
    if (values.length === 0) return this.current(name);
    const [low, high] = rangeOf(values);
    const before = this.#automatic.get(name) ?? [low, high];
    this.#automatic.set(name, [Math.min(low, before[0]), Math.max(high, before[1])]);
    return this.current(name);
  }

  /** The range in use; null if there were no values so far. */
  current(name) {
    return this.#fixed.get(name) ?? this.#automatic.get(name) ?? null;
  }

  fix(name, low, high) {
    if (Number.isFinite(low) && Number.isFinite(high) && low < high)
      this.#fixed.set(name, [low, high]);
  }

  /** Returns to the automatic range. */
  unfix(name) {
    this.#fixed.delete(name);
  }
}
