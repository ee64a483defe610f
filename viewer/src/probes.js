import { formatNumber, probeUnit, rangeOf, withUnit } from './fields.js';

/** Columns of probes.csv by name; an empty cell was not measured and is NaN. */
export function parseProbes(text) {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (lines.length < 2) return null;
  const names = lines[0].split(',').map((name) => name.trim());
  const rows = lines.slice(1).map((line) => line.split(',').map(parseNumber));
  const columns = new Map(names.map((name, k) => [name, rows.map((row) => row[k])]));
  return columns.has('time') ? columns : null;
}

const parseNumber = (text) => (text.trim() === '' ? NaN : Number(text));

/** Plots one probe over time, with a marker at the displayed time. */
export class ProbePlot {
  #canvas;
  #columns = null;
  #name = '';
  #currentTime = 0;
  #area = null;
  labels = []; // of the axes: lowest and highest value, first and last time

  constructor(canvas, goToTime) {
    this.#canvas = canvas;
    const seek = (event) => {
      if (this.#area && (event.type === 'pointerdown' || event.buttons === 1)) {
        if (event.type === 'pointerdown') canvas.setPointerCapture(event.pointerId);
        goToTime(this.#timeAt(event.offsetX));
      }
    };
    canvas.addEventListener('pointerdown', seek);
    canvas.addEventListener('pointermove', seek);
    new ResizeObserver(() => this.draw()).observe(canvas);
  }

  /** Columns with at least one measured value. */
  names() {
    return [...(this.#columns ?? [])]
      .filter(([name, values]) => name !== 'time' && name !== 'step' && values.some(Number.isFinite))
      .map(([name]) => name);
  }

  setColumns(columns) {
    this.#columns = columns;
    this.draw();
  }

  select(name) {
    this.#name = name;
    this.draw();
  }

  setCurrentTime(time) {
    this.#currentTime = time;
    this.draw();
  }

  #timeAt(x) {
    const { left, width, start, end } = this.#area;
    return start + Math.max(0, Math.min(1, (x - left) / width)) * (end - start);
  }

  draw() {
    const { clientWidth: width, clientHeight: height } = this.#canvas;
    const values = this.#columns?.get(this.#name);
    if (!values || width === 0) return;
    const scale = window.devicePixelRatio || 1;
    this.#canvas.width = width * scale;
    this.#canvas.height = height * scale;
    const context = this.#canvas.getContext('2d');
    context.scale(scale, scale);
    const times = this.#columns.get('time');
    const [low, high] = nonEmptyRange(...rangeOf(values.filter(Number.isFinite)));
    const style = getComputedStyle(document.documentElement);
    context.font = `11px ${style.fontFamily}`;
    context.fillStyle = style.getPropertyValue('--muted');
    const labels = [low, high].map((value) => withUnit(formatNumber(value, 3), probeUnit(this.#name)));
    const timeLabels = [times[0], times.at(-1)].map((time) => withUnit(formatNumber(time, 4), probeUnit('time')));
    const left = Math.ceil(Math.max(...labels.map((label) => context.measureText(label).width))) + 8;
    const area = { left, top: 8, width: width - left - 8, height: height - 28, start: times[0], end: times.at(-1) };
    this.#area = area;
    const x = (time) => area.left + ((time - area.start) / (area.end - area.start || 1)) * area.width;
    const y = (value) => area.top + (1 - (value - low) / (high - low)) * area.height;

    context.strokeStyle = style.getPropertyValue('--border');
    context.strokeRect(area.left + 0.5, area.top + 0.5, area.width - 1, area.height - 1);
    context.textAlign = 'right';
    context.fillText(labels[1], left - 5, area.top + 9);
    context.fillText(labels[0], left - 5, area.top + area.height);
    context.textAlign = 'left';
    context.fillText(timeLabels[0], area.left, height - 6);
    context.textAlign = 'right';
    context.fillText(timeLabels[1], width - 8, height - 6);
    this.labels = [...labels, ...timeLabels];

    context.strokeStyle = style.getPropertyValue('--accent');
    context.lineWidth = 1.5;
    context.beginPath();
    let isConnected = false;
    times.forEach((time, i) => {
      if (!Number.isFinite(values[i])) return void (isConnected = false);
      isConnected ? context.lineTo(x(time), y(values[i])) : context.moveTo(x(time), y(values[i]));
      isConnected = true;
    });
    context.stroke();
    this.#drawCurrentTime(context, style, x, y, times, values);
  }

  #drawCurrentTime(context, style, x, y, times, values) {
    const { top, height, left, width, start, end } = this.#area;
    if (this.#currentTime < start || this.#currentTime > end) return;
    context.strokeStyle = style.getPropertyValue('--text');
    context.lineWidth = 1;
    context.beginPath();
    context.moveTo(x(this.#currentTime), top);
    context.lineTo(x(this.#currentTime), top + height);
    context.stroke();
    const nearest = nearestIndex(times, this.#currentTime);
    if (!Number.isFinite(values[nearest])) return;
    context.beginPath();
    context.arc(x(times[nearest]), y(values[nearest]), 3, 0, 7);
    context.fillStyle = style.getPropertyValue('--accent');
    context.fill();
    context.textAlign = 'center';
    context.fillStyle = style.getPropertyValue('--text');
    const value = withUnit(formatNumber(values[nearest]), probeUnit(this.#name));
    context.fillText(value, left + width / 2, top + height + 14);
  }
}

const nonEmptyRange = (low, high) =>
  high > low ? [low, high] : [low - (Math.abs(low) || 1) / 2, high + (Math.abs(high) || 1) / 2];

export function nearestIndex(times, time) {
  let [low, high] = [0, times.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    times[middle] <= time ? (low = middle) : (high = middle);
  }
  return time - times[low] <= times[high] - time ? low : high;
}
