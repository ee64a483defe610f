// What is drawn of a frame, as the reader has asked for it.
import { Blocks } from './blocks.js';
import { Chains, strengthRange } from './chains.js';
import { accent, colourAlike, colourAll, colourKinds, kindColour, plain, unknown } from './colours.js';
import { Cut } from './cut.js';
import { isKind, unitOf, valuesOf } from './fields.js';
import { Particles } from './particles.js';
import { Ranges } from './ranges.js';
import { Walls } from './walls.js';

const hexColour = (name) => {
  const text = getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  return [1, 3, 5].map((at) => parseInt(text.slice(at, at + 2), 16) / 255);
};

export class Show {
  #stage;
  #grains;
  #shell; // particles that are fixed: walls of balls
  #walls;
  #blocks;
  #chains;
  #frame = null;
  #mesh = null;
  cut = new Cut();
  ranges = new Ranges();
  colour = '';
  wants = { particles: true, walls: true, chains: false };
  picked = null; // id

  constructor(stage) {
    this.#stage = stage;
    const { renderer } = stage;
    this.#grains = new Particles(stage, this.cut);
    this.#blocks = new Blocks(renderer, this.cut, hexColour('--ink'));
    this.#chains = new Chains(renderer, this.cut);
    this.#shell = new Particles(stage, this.cut, 0.13); // what one looks through comes last
    this.#walls = new Walls(stage, this.cut, hexColour('--soft'));
    stage.setBackground(hexColour('--ground'));
  }

  get frame() {
    return this.#frame;
  }

  /** Draws this frame; `contacts` if they are wanted and there. Returns entries of the legend. */
  draw(frame, contacts) {
    if (frame !== this.#frame) this.#mesh = frame.blocks.id.length > 0 ? Blocks.mesh(frame.blocks) : null;
    this.#frame = frame;
    const legend = [];
    this.#drawParticles(frame, legend);
    this.#drawBlocks(contacts, legend);
    this.wants.walls ? this.#walls.show(frame.walls) : this.#walls.hide();
    this.#drawChains(contacts, legend);
    this.#stage.draw();
    return legend;
  }

  #drawParticles(frame, legend) {
    const colours = this.#colours(frame, legend);
    const fixed = frame.fields.get('fixed')?.values;
    const isFixed = (i) => Boolean(fixed && fixed[i]);
    if (this.wants.particles) this.#grains.show(frame, (i) => !isFixed(i), colours);
    else this.#grains.hide();
    if (fixed && this.wants.walls) this.#shell.show(frame, isFixed, colourAlike(frame.id.length, unknown));
    else this.#shell.hide();
  }

  #colours(frame, legend) {
    const count = frame.id.length;
    const values = valuesOf(frame, this.colour);
    let colours;
    if (!values || count === 0) colours = colourAlike(count, plain);
    else {
      const kind = isKind(this.colour);
      const range = kind ? null : this.ranges.of(this.colour, values);
      colours = kind ? colourKinds(values) : colourAll(values, range);
      const kinds = kind ? [...new Set(values)].sort((a, b) => a - b).slice(0, 8) : null;
      legend.push({ name: this.colour, unit: unitOf(this.colour, frame), range, kinds });
    }
    const at = this.picked === null ? -1 : frame.id.indexOf(this.picked);
    if (at >= 0) colours.set(accent, 3 * at);
    return colours;
  }

  #drawBlocks(contacts, legend) {
    if (!this.#mesh || !this.wants.particles) return this.#blocks.hide();
    const colourOf = this.#blockColours(contacts, legend);
    this.#blocks.show(this.#mesh, (id) => (id === this.picked ? accent : colourOf(id)));
  }

  #blockColours(contacts, legend) {
    if (this.colour === 'id') return kindColour;
    if (this.colour !== 'contacts' || !contacts) return () => plain;
    const degree = new Map();
    for (const side of [contacts.a, contacts.b])
      for (const id of side) degree.set(id, (degree.get(id) ?? 0) + 1);
    const values = this.#mesh.owner.map((id) => degree.get(id) ?? 0);
    const range = this.ranges.of('contacts', values);
    legend.push({ name: 'contacts', unit: '', range });
    return (id) => {
      const count = degree.get(id) ?? 0;
      return range[1] > 0 ? colourAll([count], range) : unknown;
    };
  }

  #drawChains(contacts, legend) {
    if (!this.wants.chains || !contacts) return this.#chains.hide();
    const found = strengthRange(contacts);
    const range = found ? this.ranges.widen('force of contacts', found) : [0, 1];
    const radius = this.#typicalLength();
    const lift = this.#frame.dimension === 2 ? largest(this.#frame.radius) + 0.02 * radius : 0;
    this.#chains.show(contacts, range, radius, lift);
    if (found) legend.push({ name: 'force of contacts', unit: unitOf('force', this.#frame), range, isWarm: true });
  }

  /** A radius by which sticks are drawn. */
  #typicalLength() {
    const { radius } = this.#frame;
    if (radius.length > 0) return radius.reduce((sum, r) => sum + r, 0) / radius.length;
    const [x0, x1, y0, y1, z0, z1] = this.bounds();
    const blocks = new Set(this.#frame.blocks.id).size || 1;
    return 0.1 * Math.hypot(x1 - x0, y1 - y0, z1 - z0) / Math.sqrt(blocks);
  }

  cutAnew() {
    this.#walls.cutAnew();
    this.#blocks.cutAnew();
    this.#stage.draw();
  }

  setSize(size) {
    this.#grains.setSize(size);
    this.#stage.draw();
  }

  /** The id under a ray, or null. */
  hit(from, to) {
    if (!this.#frame) return null;
    const grain = this.#grains.hit(this.#frame, from, to, this.cut);
    const shell = this.#shell.hit(this.#frame, from, to, this.cut);
    const block = this.#blocks.hit(from, to, this.cut);
    const best = grain.number >= 0 ? grain : shell; // one looks through the shell
    if (block.way < best.way) return block.id;
    return best.number >= 0 ? this.#frame.id[best.number] : null;
  }

  /** Around all there is in the frame; null if there is nothing. */
  bounds() {
    const box = [Infinity, -Infinity, Infinity, -Infinity, Infinity, -Infinity];
    const { place, radius, walls, blocks } = this.#frame;
    const hold = (places, margin) => {
      for (let i = 0; i < places.length; ++i) {
        const [k, by] = [i % 3, margin(Math.floor(i / 3))];
        if (places[i] - by < box[2 * k]) box[2 * k] = places[i] - by;
        if (places[i] + by > box[2 * k + 1]) box[2 * k + 1] = places[i] + by;
      }
    };
    hold(place, (i) => radius[i]);
    hold(walls.corners, () => 0);
    hold(blocks.corners, () => 0);
    return box[0] <= box[1] ? box : null;
  }
}

const largest = (values) => values.reduce((most, value) => Math.max(most, value), 0);
