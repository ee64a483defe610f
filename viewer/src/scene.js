// The scene drawn for a frame: particles, blocks, walls and force chains, as set by the user.
import { Blocks } from './blocks.js';
import { Clip } from './clip.js';
import {
  categoryColor, colorCategories, colorUniform, colorValues, selectionColor, uniformColor, unknownColor,
} from './colors.js';
import { fieldUnit, fieldValues, isCategory } from './fields.js';
import { ForceChains, forceRange } from './force_chains.js';
import { Particles } from './particles.js';
import { ColorRanges } from './ranges.js';
import { Walls } from './walls.js';

/** A color of the style sheet as numbers between 0 and 1. */
const cssColor = (variable) => {
  const hex = getComputedStyle(document.documentElement).getPropertyValue(variable).trim();
  return [1, 3, 5].map((offset) => parseInt(hex.slice(offset, offset + 2), 16) / 255);
};

export class Scene {
  #viewport;
  #particles;
  #fixedParticles; // walls made of spheres
  #walls;
  #blocks;
  #forceChains;
  #frame = null;
  #blockMesh = null;
  clip = new Clip();
  ranges = new ColorRanges();
  colorBy = ''; // name of a field
  visible = { particles: true, walls: true, forceChains: false };
  selection = null; // id

  constructor(viewport) {
    this.#viewport = viewport;
    const { renderer } = viewport;
    this.#particles = new Particles(viewport, this.clip);
    this.#blocks = new Blocks(renderer, this.clip, cssColor('--text'));
    this.#forceChains = new ForceChains(renderer, this.clip);
    this.#fixedParticles = new Particles(viewport, this.clip, 0.13); // transparent actors come last
    this.#walls = new Walls(viewport, this.clip, cssColor('--muted'));
    viewport.setBackground(cssColor('--background'));
  }

  get frame() {
    return this.#frame;
  }

  /** Draws a frame, with contacts unless `contacts` is null. Returns the entries of the legend. */
  draw(frame, contacts) {
    if (frame !== this.#frame) this.#blockMesh = frame.blocks.id.length > 0 ? Blocks.mesh(frame.blocks) : null;
    this.#frame = frame;
    const legend = [];
    this.#drawParticles(frame, legend);
    this.#drawBlocks(contacts, legend);
    this.visible.walls ? this.#walls.draw(frame.walls) : this.#walls.hide();
    this.#drawForceChains(contacts, legend);
    this.#viewport.draw();
    return legend;
  }

  #drawParticles(frame, legend) {
    const colors = this.#particleColors(frame, legend);
    const fixed = frame.fields.get('fixed')?.values;
    const isFixed = (i) => Boolean(fixed && fixed[i]);
    if (this.visible.particles) this.#particles.draw(frame, (i) => !isFixed(i), colors);
    else this.#particles.hide();
    if (fixed && this.visible.walls) this.#fixedParticles.draw(frame, isFixed, colorUniform(frame.id.length, unknownColor));
    else this.#fixedParticles.hide();
  }

  #particleColors(frame, legend) {
    const count = frame.id.length;
    const values = fieldValues(frame, this.colorBy);
    const hasCategories = isCategory(this.colorBy);
    const range = values && !hasCategories ? this.extendRange(frame) : null;
    let colors;
    if (!values || count === 0 || !(range || hasCategories)) colors = colorUniform(count, uniformColor);
    else {
      colors = hasCategories ? colorCategories(values) : colorValues(values, range);
      const categories = hasCategories ? [...new Set(values)].sort((a, b) => a - b).slice(0, 8) : null;
      legend.push({ name: this.colorBy.replaceAll('_', ' '), unit: fieldUnit(this.colorBy), range, categories });
    }
    const selected = this.selection === null ? -1 : frame.id.indexOf(this.selection);
    if (selected >= 0) colors.set(selectionColor, 3 * selected);
    return colors;
  }

  /** Extends the color range by the moving particles of a frame; returns it, or null. */
  extendRange(frame) {
    const values = fieldValues(frame, this.colorBy);
    if (!values || isCategory(this.colorBy)) return null;
    const fixed = frame.fields.get('fixed')?.values;
    return this.ranges.extend(this.colorBy, fixed ? values.filter((_, i) => !fixed[i]) : values);
  }

  #drawBlocks(contacts, legend) {
    if (!this.#blockMesh || !this.visible.particles) return this.#blocks.hide();
    const colorOf = this.#blockColors(contacts, legend);
    this.#blocks.draw(this.#blockMesh, (id) => (id === this.selection ? selectionColor : colorOf(id)));
  }

  #blockColors(contacts, legend) {
    if (this.colorBy === 'id') return categoryColor;
    if (this.colorBy !== 'coordination_number' || !contacts) return () => uniformColor;
    const contactCount = new Map();
    for (const ids of [contacts.a, contacts.b])
      for (const id of ids) contactCount.set(id, (contactCount.get(id) ?? 0) + 1);
    const values = this.#blockMesh.owner.map((id) => contactCount.get(id) ?? 0);
    const range = this.ranges.extend('coordination_number', values);
    legend.push({ name: 'coordination number', unit: '', range });
    return (id) => {
      const count = contactCount.get(id) ?? 0;
      return range[1] > 0 ? colorValues([count], range) : unknownColor;
    };
  }

  #drawForceChains(contacts, legend) {
    if (!this.visible.forceChains || !contacts) return this.#forceChains.hide();
    const found = forceRange(contacts);
    const range = found ? this.ranges.extend('contact force', found) : [0, 1];
    const radius = this.#typicalLength();
    const lift = this.#frame.dimension === 2 ? maximum(this.#frame.radius) + 0.02 * radius : 0;
    this.#forceChains.draw(contacts, range, radius, lift);
    if (found) legend.push({ name: 'contact force', unit: fieldUnit('force'), range, isWarm: true });
  }

  /** The mean radius, or a similar length for blocks; scales the thickness of force chains. */
  #typicalLength() {
    const { radius } = this.#frame;
    if (radius.length > 0) return radius.reduce((sum, r) => sum + r, 0) / radius.length;
    const [x0, x1, y0, y1, z0, z1] = this.bounds();
    const blocks = new Set(this.#frame.blocks.id).size || 1;
    return 0.1 * Math.hypot(x1 - x0, y1 - y0, z1 - z0) / Math.sqrt(blocks);
  }

  updateClip() {
    this.#walls.updateClip();
    this.#blocks.updateClip();
    this.#viewport.draw();
  }

  /** `size`: displayed radius / radius. */
  setSize(size) {
    this.#particles.setSize(size);
    this.#viewport.draw();
  }

  /** The id of the first visible object on the segment from `from` to `to`, or null. */
  hit(from, to) {
    if (!this.#frame) return null;
    const particle = this.#particles.hit(this.#frame, from, to, this.clip);
    const fixed = this.#fixedParticles.hit(this.#frame, from, to, this.clip);
    const block = this.#blocks.hit(from, to, this.clip);
    const best = particle.index >= 0 ? particle : fixed; // fixed particles are transparent
    if (block.parameter < best.parameter) return block.id;
    return best.index >= 0 ? this.#frame.id[best.index] : null;
  }

  /** The bounding box [x0, x1, y0, y1, z0, z1] of the frame; null if the frame is empty. */
  bounds() {
    const box = [Infinity, -Infinity, Infinity, -Infinity, Infinity, -Infinity];
    const { position, radius, walls, blocks } = this.#frame;
    const include = (points, marginOf) => {
      for (let i = 0; i < points.length; ++i) {
        const [k, margin] = [i % 3, marginOf(Math.floor(i / 3))];
        if (points[i] - margin < box[2 * k]) box[2 * k] = points[i] - margin;
        if (points[i] + margin > box[2 * k + 1]) box[2 * k + 1] = points[i] + margin;
      }
    };
    include(position, (i) => radius[i]);
    include(walls.vertices, () => 0);
    include(blocks.vertices, () => 0);
    return box[0] <= box[1] ? box : null;
  }
}

const maximum = (values) => values.reduce((max, value) => Math.max(max, value), 0);
