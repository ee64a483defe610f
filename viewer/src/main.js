import { fieldNames, formatNumber, probeUnit, setUnits, withUnit } from './fields.js';
import { FrameCache } from './frames.js';
import { updateLegend } from './legend.js';
import { fetchProbes, fetchRun } from './messages.js';
import { ProbePlot, parseProbes } from './probes.js';
import { Scene } from './scene.js';
import { clearSelection, contactsOf, particleProperties, updateSelection } from './selection.js';
import { Timeline } from './timeline.js';
import { Viewport } from './viewport.js';

const pollInterval = 1500; // milliseconds

// The first requests are sent before WebGL is set up, so that the server reads files meanwhile.
let firstRun = fetchRun(0);
firstRun.catch(() => {});
const frames = new FrameCache();
frames.prefetch(0);

const byId = (id) => document.getElementById(id);
const viewport = new Viewport(byId('canvas'));
const scene = new Scene(viewport);
const plot = new ProbePlot(byId('plot'), (time) => timeline.goToTime(time));
const timeline = new Timeline({ slider: byId('time'), play: byId('play'), latest: byId('latest') }, loadFrame);

let lastRequestId = 0; // a frame that arrives after a newer request is not displayed
let isFitted = false;
let isBeginningDisplayed = false;
let hasProbes = false;

function updateNotice(title, text) {
  byId('notice').hidden = !title;
  byId('notice-title').textContent = title;
  byId('notice-text').textContent = text;
}

function updateWarning(text) {
  byId('warning').hidden = !text;
  byId('warning').textContent = text;
}

// Frames -----------------------------------------------------------------------------------------

async function loadFrame(index) {
  const requestId = ++lastRequestId;
  byId('current-time').textContent = timeLabel(index);
  try {
    const frame = await frames.get(index);
    if (requestId !== lastRequestId) return;
    await drawFrame(frame, requestId);
    updateWarning('');
  } catch (error) {
    if (requestId !== lastRequestId) return;
    if (scene.frame) updateWarning(error.message);
    else updateNotice('Cannot display this frame', error.message);
  }
  if (index + 1 < timeline.times.length) frames.prefetch(index + 1);
}

function timeLabel(index) {
  const { times } = timeline;
  if (times.length < 2) return '';
  const time = withUnit(formatNumber(times[index]), probeUnit('time'));
  return `t = ${time} · ${index + 1} / ${times.length}`;
}

const needsContacts = (frame) =>
  frame.contactCount > 0 &&
  (scene.visible.forceChains || (frame.blocks.id.length > 0 && scene.colorBy === 'coordination_number'));

async function drawFrame(frame, requestId = lastRequestId) {
  viewport.setDimension(frame.dimension);
  updateFieldList(frame);
  const contacts = needsContacts(frame) ? await frames.contacts(frame.index) : null;
  if (requestId !== lastRequestId) return;
  const legend = scene.draw(frame, contacts);
  updateLegend(byId('legend'), legend);
  updateRange();
  updateSummary(frame);
  updateNotice('', '');
  plot.setCurrentTime(frame.time);
  if (!isFitted) fitView();
  updateSelectionBox();
  document.body.dataset.frame = frame.index;
  skipEmptyBeginning(frame);
  widenRange();
}

const redraw = () => scene.frame && drawFrame(scene.frame);

const fixedCount = (frame) => frame.fields.get('fixed')?.values.reduce((sum, value) => sum + (value ? 1 : 0), 0) ?? 0;

const isEmpty = (frame) => frame.id.length === fixedCount(frame) && frame.blocks.id.length === 0 && frame.contactCount === 0;

/** If particles are inserted later, the first frame displayed is the first one with particles. */
async function skipEmptyBeginning(frame) {
  if (isBeginningDisplayed) return;
  isBeginningDisplayed = true;
  if (!isEmpty(frame) || timeline.times.length < 2) return;
  const columns = parseProbes(await fetchProbes().catch(() => ''));
  const row = columns?.get('particles')?.findIndex((count) => count > 0) ?? -1;
  if (row < 0 || timeline.index !== frame.index || timeline.isPlaying) return;
  const time = columns.get('time')[row];
  const index = timeline.times.findIndex((t) => t >= time * (1 - 1e-9));
  if (index < 0) return;
  isFitted = false;
  timeline.goTo(index);
}

const widenedFields = new Set();

/**
 * In the first frame particles are often all at rest. If all values so far are equal, the color range
 * is that of further frames, too.
 */
async function widenRange() {
  const name = scene.colorBy;
  const isDegenerate = () => {
    const range = scene.ranges.current(name);
    return range !== null && range[0] === range[1];
  };
  const { length } = timeline.times;
  if (!isDegenerate() || length < 2 || widenedFields.has(name)) return;
  widenedFields.add(name);
  for (const index of new Set([length >> 1, length - 1])) {
    const frame = await frames.get(index).catch(() => null);
    if (scene.colorBy !== name) return;
    if (frame) scene.extendRange(frame);
  }
  if (!isDegenerate()) redraw();
}

function updateSummary(frame) {
  const blocks = new Set(frame.blocks.id).size;
  const parts = [];
  const count = (number, noun) => `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`;
  if (blocks > 0) parts.push(count(blocks, frame.dimension === 2 ? 'polygon' : 'block'));
  const fixed = fixedCount(frame);
  if (frame.id.length > 0 || blocks === 0) parts.push(count(frame.id.length - fixed, 'particle'));
  if (fixed > 0) parts.push(`${fixed.toLocaleString('en')} fixed`);
  if (frame.contactCount > 0) parts.push(count(frame.contactCount, 'contact'));
  byId('summary').textContent = parts.join(' · ');
  byId('particles-label').textContent = blocks > 0 && frame.id.length === 0 ? 'blocks' : 'particles';
  byId('force-chains-label').textContent = frame.fields.has('speed') ? 'force chains' : 'contacts';
  byId('size-row').hidden = frame.id.length === 0;
  byId('display-walls').disabled = frame.walls.vertices.length === 0 && fixed === 0 && scene.visible.walls;
  byId('display-force-chains').disabled = frame.contactCount === 0 && !scene.visible.forceChains;
  byId('clip-box').hidden = frame.dimension === 2;
}

function fitView() {
  const bounds = scene.bounds();
  if (!bounds) return;
  viewport.fitTo(bounds);
  isFitted = true;
}

// Color ------------------------------------------------------------------------------------------

function updateFieldList(frame) {
  const names = fieldNames(frame);
  const list = byId('color');
  if ([...list.options].map((option) => option.value).join() !== names.join()) {
    list.replaceChildren(...names.map((name) => new Option(name.replaceAll('_', ' '), name)));
    if (!names.includes(scene.colorBy)) scene.colorBy = names[0];
    list.value = scene.colorBy;
  }
}

function updateRange() {
  const range = scene.ranges.current(scene.colorBy);
  byId('range').hidden = range === null || ['uniform', 'material', 'fixed'].includes(scene.colorBy);
  if (range === null) return;
  for (const [id, value] of [['range-min', range[0]], ['range-max', range[1]]])
    if (document.activeElement !== byId(id)) byId(id).value = formatNumber(value, 5);
}

byId('color').addEventListener('change', ({ target }) => {
  scene.colorBy = target.value;
  redraw();
});
for (const id of ['range-min', 'range-max'])
  byId(id).addEventListener('change', () => {
    scene.ranges.fix(scene.colorBy, Number(byId('range-min').value), Number(byId('range-max').value));
    redraw();
  });
byId('range-auto').addEventListener('click', () => {
  scene.ranges.unfix(scene.colorBy);
  redraw();
});

// Display and clipping ---------------------------------------------------------------------------

let sizeBeforeChains = 100;

function setSize(percent) {
  byId('size').value = percent;
  scene.setSize(percent / 100);
}

for (const [id, part] of [['particles', 'particles'], ['walls', 'walls'], ['force-chains', 'forceChains']])
  byId(`display-${id}`).addEventListener('change', ({ target }) => {
    scene.visible[part] = target.checked;
    // In 3D, spheres hide the force chains inside them: shrink them while chains are displayed.
    if (part === 'forceChains' && scene.frame?.dimension === 3) {
      if (target.checked) sizeBeforeChains = Number(byId('size').value);
      setSize(target.checked ? Math.min(sizeBeforeChains, 30) : sizeBeforeChains);
    }
    redraw();
  });
byId('size').addEventListener('input', ({ target }) => setSize(Number(target.value)));

let isFlipped = false;

function updateClip() {
  const axis = byId('clip-axis').value === '' ? null : Number(byId('clip-axis').value);
  byId('clip-position').disabled = axis === null;
  byId('clip-flip').disabled = axis === null;
  const bounds = scene.frame && scene.bounds();
  if (axis !== null && !bounds) return;
  const fraction = Number(byId('clip-position').value);
  const position = axis === null ? 0 : bounds[2 * axis] + fraction * (bounds[2 * axis + 1] - bounds[2 * axis]);
  scene.clip.set(axis, position, isFlipped);
  scene.updateClip();
}

byId('clip-axis').addEventListener('change', ({ target }) => {
  isFlipped = target.value === '1'; // so that the section faces the default camera, at negative y
  updateClip();
});
byId('clip-position').addEventListener('input', updateClip);
byId('clip-flip').addEventListener('click', () => {
  isFlipped = !isFlipped;
  updateClip();
});
byId('fit').addEventListener('click', fitView);
byId('settings').addEventListener('click', ({ target }) => {
  target.setAttribute('aria-expanded', byId('panel').classList.toggle('open'));
});
byId('save-png').addEventListener('click', async () => {
  const link = document.createElement('a');
  link.download = `${byId('title').textContent.replace(/[^\w.-]+/g, '-')}-${timeline.index}.png`;
  link.href = await viewport.capturePng();
  link.click();
});
document.addEventListener('keydown', (event) => {
  if (event.key === 'f' && !event.ctrlKey && !event.metaKey && !event.target.matches?.('input[type=text], select')) fitView();
  if (event.key === 'Escape') select(null);
});

// Selection --------------------------------------------------------------------------------------

let isNewSelection = false; // not yet scrolled to

function select(id) {
  isNewSelection = id !== null && id !== scene.selection;
  scene.selection = id;
  redraw();
}

function updateSelectionBox() {
  const { frame, selection } = scene;
  const box = byId('selection');
  const noun = frame.id.length > 0 ? 'particle' : 'block';
  if (selection === null) return clearSelection(box, `Click a ${noun} to inspect it.`);
  const i = frame.id.indexOf(selection);
  const isBlock = frame.blocks.id.includes(selection);
  if (i < 0 && !isBlock) return clearSelection(box, `${selection} is not in this frame.`);
  const contacts = frame.contactCount > 0
    ? frames.contacts(frame.index).then((all) => contactsOf(all, selection))
    : null;
  const isNew = isNewSelection;
  isNewSelection = false;
  return updateSelection(box, {
    properties: i >= 0 ? particleProperties(frame, i) : [['id', selection]],
    contacts,
    select,
  }).then(() => {
    if (isNew) byId('selection-box').scrollIntoView({ block: 'nearest' });
  });
}

viewport.onClick((from, to) => select(scene.hit(from, to)));

// The run ----------------------------------------------------------------------------------------

async function updateProbes(run) {
  if (!run.probes) return;
  const columns = parseProbes(await fetchProbes());
  if (!columns) return;
  plot.setColumns(columns);
  byId('probes-box').hidden = false;
  if (hasProbes) return;
  hasProbes = true;
  const names = plot.names();
  const label = (name) => (probeUnit(name) ? `${name} (${probeUnit(name)})` : name);
  byId('probe').replaceChildren(...names.map((name) => new Option(label(name), name)));
  const first = names.find((name) => name === 'kinetic' || name.includes('kinetic')) ?? names[0];
  byId('probe').value = first;
  plot.select(first);
  if (scene.frame) plot.setCurrentTime(scene.frame.time);
}

byId('probe').addEventListener('change', ({ target }) => plot.select(target.value));

function updateError(run) {
  if (run.waiting)
    updateNotice('No frames yet', `No run has written a frame to ${run.path} so far. The first frame will appear here automatically.`);
  else updateNotice('Cannot display this dataset', run.error);
}

async function poll() {
  const before = timeline.times.length;
  const pending = firstRun;
  firstRun = null;
  try {
    let run = await (pending ?? fetchRun(before));
    if (!run.error && run.frames < before) {
      frames.clear(); // another run has overwritten the folder
      run = await fetchRun(0);
      timeline.setTimes([]);
    }
    if (run.error) {
      if (scene.frame) updateWarning(run.error);
      else updateError(run);
      return;
    }
    setUnits(run.units);
    byId('title').textContent = run.title || 'abut';
    document.title = `${run.title || 'abut'} · abut`;
    const times = [...timeline.times.slice(0, run.from), ...run.times];
    document.body.classList.toggle('single-frame', times.length < 2);
    timeline.setTimes(times);
    if (times.length > 0 && scene.frame) byId('current-time').textContent = timeLabel(timeline.index);
    if (times.length !== before || !hasProbes) await updateProbes(run);
    if (scene.frame) updateWarning('');
  } catch (error) {
    scene.frame ? updateWarning(error.message) : updateNotice('Cannot display this dataset', error.message);
  }
}

async function pollForever() {
  for (;;) {
    if (!document.hidden) await poll();
    await new Promise((resolve) => setTimeout(resolve, pollInterval));
  }
}

window.abut = { viewport, scene, timeline, plot }; // used by the browser tests
pollForever();
