import { css, gradient, kindColour } from './colours.js';
import { written } from './fields.js';

function element(kind, className, text = '') {
  const one = document.createElement(kind);
  one.className = className;
  one.textContent = text;
  return one;
}

function heading(name, unit) {
  const line = element('div', 'legend-name', name);
  if (unit) line.append(element('span', '', ` in ${unit}`));
  return line;
}

function scale([low, high], isWarm) {
  const bar = element('div', 'legend-bar');
  bar.style.background = gradient(isWarm);
  const ticks = element('div', 'legend-ticks');
  for (const value of low < high ? [low, (low + high) / 2, high] : [low]) ticks.append(element('span', '', written(value, 3)));
  return [bar, ticks];
}

function swatches(values) {
  const all = element('div', 'legend-kinds');
  for (const value of values) {
    const one = element('span', '', '');
    const dot = element('span', 'swatch');
    dot.style.background = css(kindColour(value));
    one.append(dot, written(value));
    all.append(one);
  }
  return all;
}

/** Each entry: name, unit, and a range with its scale, or the values of a kind. */
export function showLegend(box, entries) {
  box.replaceChildren();
  for (const { name, unit, range, kinds, isWarm } of entries) {
    box.append(heading(name, unit));
    kinds ? box.append(swatches(kinds)) : box.append(...scale(range, isWarm));
  }
  box.hidden = entries.length === 0;
}
