import { categoryColor, css, gradient } from './colors.js';
import { formatNumber } from './fields.js';

function element(tag, className, text = '') {
  const node = document.createElement(tag);
  node.className = className;
  node.textContent = text;
  return node;
}

function heading(name, unit) {
  const line = element('div', 'legend-name', name);
  if (unit) line.append(element('span', '', ` (${unit})`));
  return line;
}

function colorBar([low, high], isWarm) {
  const bar = element('div', 'legend-bar');
  bar.style.background = gradient(isWarm);
  const ticks = element('div', 'legend-ticks');
  for (const value of low < high ? [low, (low + high) / 2, high] : [low])
    ticks.append(element('span', '', formatNumber(value, 3)));
  return [bar, ticks];
}

function swatches(values) {
  const list = element('div', 'legend-categories');
  for (const value of values) {
    const entry = element('span', '', '');
    const dot = element('span', 'swatch');
    dot.style.background = css(categoryColor(value));
    entry.append(dot, formatNumber(value));
    list.append(entry);
  }
  return list;
}

/** Each entry has a name, a unit, and either a range with its color map or a list of categories. */
export function updateLegend(box, entries) {
  box.replaceChildren();
  for (const { name, unit, range, categories, isWarm } of entries) {
    box.append(heading(name, unit));
    categories ? box.append(swatches(categories)) : box.append(...colorBar(range, isWarm));
  }
  box.hidden = entries.length === 0;
}
