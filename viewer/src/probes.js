import { written } from './fields.js';

/** Columns of numbers by name; what was not measured is empty, and no number. */
export function parseProbes(text) {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (lines.length < 2) return null;
  const names = lines[0].split(',').map((name) => name.trim());
  const rows = lines.slice(1).map((line) => line.split(',').map(parseNumber));
  const columns = new Map(names.map((name, k) => [name, rows.map((row) => row[k])]));
  return columns.has('time') ? columns : null;
}

const parseNumber = (text) => (text.trim() === '' ? NaN : Number(text));

/** One probe against time, with a line at the time that is shown. */
export class ProbePlot {
  #canvas;
  #columns = null;
  #name = '';
  #now = 0;
  #area = null;

  constructor(canvas, goTo) {
    this.#canvas = canvas;
    const go = (event) => {
      if (this.#area && (event.type === 'pointerdown' || event.buttons === 1)) {
        if (event.type === 'pointerdown') canvas.setPointerCapture(event.pointerId);
        goTo(this.#timeAt(event.offsetX));
      }
    };
    canvas.addEventListener('pointerdown', go);
    canvas.addEventListener('pointermove', go);
    new ResizeObserver(() => this.draw()).observe(canvas);
  }

  names() {
    return [...(this.#columns ?? [])]
      .filter(([name, values]) => name !== 'time' && name !== 'step' && values.some(Number.isFinite))
      .map(([name]) => name);
  }

  setColumns(columns) {
    this.#columns = columns;
    this.draw();
  }

  choose(name) {
    this.#name = name;
    this.draw();
  }

  setNow(time) {
    this.#now = time;
    this.draw();
  }

  #timeAt(x) {
    const { left, width, from, to } = this.#area;
    return from + Math.max(0, Math.min(1, (x - left) / width)) * (to - from);
  }

  draw() {
    const { clientWidth: width, clientHeight: height } = this.#canvas;
    const values = this.#columns?.get(this.#name);
    if (!values || width === 0) return;
    const scale = window.devicePixelRatio || 1;
    this.#canvas.width = width * scale;
    this.#canvas.height = height * scale;
    const pen = this.#canvas.getContext('2d');
    pen.scale(scale, scale);
    const times = this.#columns.get('time');
    const finite = values.filter(Number.isFinite);
    const [low, high] = spread(Math.min(...span(finite)), Math.max(...span(finite)));
    const style = getComputedStyle(document.documentElement);
    pen.font = `11px ${style.fontFamily}`;
    pen.fillStyle = style.getPropertyValue('--soft');
    const left = Math.ceil(Math.max(...[low, high].map((v) => pen.measureText(written(v, 3)).width))) + 8;
    const area = { left, top: 8, width: width - left - 8, height: height - 28, from: times[0], to: times.at(-1) };
    this.#area = area;
    const x = (time) => area.left + ((time - area.from) / (area.to - area.from || 1)) * area.width;
    const y = (value) => area.top + (1 - (value - low) / (high - low)) * area.height;

    pen.strokeStyle = style.getPropertyValue('--line');
    pen.strokeRect(area.left + 0.5, area.top + 0.5, area.width - 1, area.height - 1);
    pen.textAlign = 'right';
    pen.fillText(written(high, 3), left - 5, area.top + 9);
    pen.fillText(written(low, 3), left - 5, area.top + area.height);
    pen.textAlign = 'left';
    pen.fillText(written(area.from, 3), area.left, height - 6);
    pen.textAlign = 'right';
    pen.fillText(`${written(area.to, 4)} s`, width - 8, height - 6);

    pen.strokeStyle = style.getPropertyValue('--accent');
    pen.lineWidth = 1.5;
    pen.beginPath();
    let isDown = false;
    times.forEach((time, i) => {
      if (!Number.isFinite(values[i])) return void (isDown = false);
      isDown ? pen.lineTo(x(time), y(values[i])) : pen.moveTo(x(time), y(values[i]));
      isDown = true;
    });
    pen.stroke();
    this.#drawNow(pen, style, x, y, times, values);
  }

  #drawNow(pen, style, x, y, times, values) {
    const { top, height, left, width, from, to } = this.#area;
    if (this.#now < from || this.#now > to) return;
    pen.strokeStyle = style.getPropertyValue('--ink');
    pen.lineWidth = 1;
    pen.beginPath();
    pen.moveTo(x(this.#now), top);
    pen.lineTo(x(this.#now), top + height);
    pen.stroke();
    const nearest = nearestIndex(times, this.#now);
    if (!Number.isFinite(values[nearest])) return;
    pen.beginPath();
    pen.arc(x(times[nearest]), y(values[nearest]), 3, 0, 7);
    pen.fillStyle = style.getPropertyValue('--accent');
    pen.fill();
    pen.textAlign = 'center';
    pen.fillStyle = style.getPropertyValue('--ink');
    pen.fillText(written(values[nearest]), left + width / 2, top + height + 14);
  }
}

// Not more arguments than a call may have.
function span(values) {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return low <= high ? [low, high] : [0, 1];
}

const spread = (low, high) =>
  high > low ? [low, high] : [low - (Math.abs(low) || 1) / 2, high + (Math.abs(high) || 1) / 2];

export function nearestIndex(times, time) {
  let [low, high] = [0, times.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    times[middle] <= time ? (low = middle) : (high = middle);
  }
  return time - times[low] <= times[high] - time ? low : high;
}
