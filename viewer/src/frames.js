import { fetchContacts, fetchFrame } from './messages.js';

const maxFrames = 8;
const maxBytes = 256e6;

/** A cache of frames: the most recently used ones are kept, the next one is prefetched. */
export class FrameCache {
  #frames = new Map(); // index → promise, least recently used first
  #sizes = new Map(); // index → bytes
  #contacts = new Map();

  get(index) {
    let frame = this.#frames.get(index);
    if (frame) this.#frames.delete(index);
    else {
      frame = fetchFrame(index);
      frame.then(
        ({ bytes }) => this.#sizes.set(index, bytes),
        () => this.#frames.delete(index), // the file may be complete next time
      );
    }
    this.#frames.set(index, frame);
    this.#evict(index);
    return frame;
  }

  /** Sequential, because the server reads one frame at a time and the displayed one has priority. */
  async prefetch(index) {
    if (!this.#frames.has(index)) await this.get(index).catch(() => {});
  }

  contacts(index) {
    let contacts = this.#contacts.get(index);
    if (!contacts) {
      contacts = fetchContacts(index);
      contacts.catch(() => this.#contacts.delete(index));
      this.#contacts.clear();
      this.#contacts.set(index, contacts);
    }
    return contacts;
  }

  clear() {
    this.#frames.clear();
    this.#sizes.clear();
    this.#contacts.clear();
  }

  #evict(current) {
    const bytes = () => [...this.#sizes.values()].reduce((sum, size) => sum + size, 0);
    for (const index of this.#frames.keys()) {
      if (this.#frames.size <= 2 || (this.#frames.size <= maxFrames && bytes() <= maxBytes)) return;
      if (index === current) continue;
      this.#frames.delete(index);
      this.#sizes.delete(index);
    }
  }
}
