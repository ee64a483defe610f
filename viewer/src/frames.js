import { fetchContacts, fetchFrame } from './messages.js';

const kept = 8; // frames
const keptBytes = 256e6;

/** Frames as they are needed: the last few stay, the next one is asked for ahead of time. */
export class Frames {
  #frames = new Map(); // number → promise, the least recently used first
  #sizes = new Map();
  #contacts = new Map();

  get(number) {
    let frame = this.#frames.get(number);
    if (frame) this.#frames.delete(number);
    else {
      frame = fetchFrame(number);
      frame.then(
        ({ bytes }) => this.#sizes.set(number, bytes),
        () => this.#frames.delete(number), // it may be whole next time
      );
    }
    this.#frames.set(number, frame);
    this.#forgetOld(number);
    return frame;
  }

  /** One after the other: the program reads one frame at a time, and the one shown comes first. */
  async ahead(number) {
    if (!this.#frames.has(number)) await this.get(number).catch(() => {});
  }

  contacts(number) {
    let contacts = this.#contacts.get(number);
    if (!contacts) {
      contacts = fetchContacts(number).then((arrays) => readable(arrays));
      contacts.catch(() => this.#contacts.delete(number));
      this.#contacts.clear();
      this.#contacts.set(number, contacts);
    }
    return contacts;
  }

  forget() {
    this.#frames.clear();
    this.#sizes.clear();
    this.#contacts.clear();
  }

  #forgetOld(number) {
    const bytes = () => [...this.#sizes.values()].reduce((sum, one) => sum + one, 0);
    for (const old of this.#frames.keys()) {
      if (this.#frames.size <= 2 || (this.#frames.size <= kept && bytes() <= keptBytes)) return;
      if (old === number) continue;
      this.#frames.delete(old);
      this.#sizes.delete(old);
    }
  }
}

function readable(arrays) {
  const fields = new Map();
  for (const [name, field] of arrays)
    if (name.startsWith('field.')) fields.set(name.slice('field.'.length), field);
  const values = (name) => arrays.get(name).values;
  return { ends: values('contacts.ends'), a: values('contacts.a'), b: values('contacts.b'), fields };
}
