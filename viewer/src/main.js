import { choices, written } from './fields.js';
import { Frames } from './frames.js';
import { showLegend } from './legend.js';
import { fetchProbes, fetchRun } from './messages.js';
import { contactsOf, particleFacts, showNothingPicked, showPicked } from './picked.js';
import { ProbePlot, parseProbes } from './probes.js';
import { Show } from './show.js';
import { Stage } from './stage.js';
import { Timeline } from './timeline.js';

const pollEvery = 1500; // milliseconds

// Asked for before anything else: the program reads while the browser gets ready to draw.
let asked = fetchRun(0);
asked.catch(() => {});
const frames = new Frames();
frames.ahead(0);

const at = (id) => document.getElementById(id);
const stage = new Stage(at('canvas'));
const show = new Show(stage);
const plot = new ProbePlot(at('plot'), (time) => timeline.goToTime(time));
const timeline = new Timeline({ slider: at('time'), play: at('play'), live: at('live') }, showFrame);

let wanted = 0; // the last frame asked for, counted: an older one that comes late is not shown
let isFitted = false;
let hasProbes = false;

function notice(title, text) {
  at('notice').hidden = !title;
  at('notice-title').textContent = title;
  at('notice-text').textContent = text;
}

function warn(text) {
  at('warning').hidden = !text;
  at('warning').textContent = text;
}

// Frames -----------------------------------------------------------------------------------------

async function showFrame(number) {
  const turn = ++wanted;
  at('now').textContent = clock(number);
  try {
    const frame = await frames.get(number);
    if (turn !== wanted) return;
    await drawFrame(frame, turn);
    warn('');
  } catch (problem) {
    if (turn !== wanted) return;
    if (show.frame) warn(problem.message);
    else notice('This frame cannot be shown', problem.message);
  }
  if (number + 1 < timeline.times.length) frames.ahead(number + 1);
}

function clock(number) {
  const { times } = timeline;
  if (times.length < 2) return '';
  return `t = ${written(times[number])} s · ${number + 1} / ${times.length}`;
}

const wantsContacts = (frame) =>
  frame.contactCount > 0 &&
  (show.wants.chains || (frame.blocks.id.length > 0 && show.colour === 'contacts'));

async function drawFrame(frame, turn = wanted) {
  stage.setDimension(frame.dimension);
  offerFields(frame);
  const contacts = wantsContacts(frame) ? await frames.contacts(frame.number) : null;
  if (turn !== wanted) return;
  const legend = show.draw(frame, contacts);
  showLegend(at('legend'), legend);
  tellRange();
  tellFacts(frame);
  notice('', '');
  plot.setNow(frame.time);
  if (!isFitted) fit();
  tellPicked();
  document.body.dataset.frame = frame.number;
}

const redraw = () => show.frame && drawFrame(show.frame);

function tellFacts(frame) {
  const blocks = new Set(frame.blocks.id).size;
  const parts = [];
  const count = (number, word) => `${number.toLocaleString('en')} ${word}${number === 1 ? '' : 's'}`;
  if (blocks > 0) parts.push(count(blocks, frame.dimension === 2 ? 'polygon' : 'block'));
  const fixed = frame.fields.get('fixed')?.values.reduce((sum, one) => sum + (one ? 1 : 0), 0) ?? 0;
  if (frame.id.length > 0 || blocks === 0) parts.push(count(frame.id.length - fixed, 'particle'));
  if (fixed > 0) parts.push(`${fixed.toLocaleString('en')} fixed`);
  if (frame.contactCount > 0) parts.push(count(frame.contactCount, 'contact'));
  at('facts').textContent = parts.join(' · ');
  at('particles-word').textContent = blocks > 0 && frame.id.length === 0 ? 'blocks' : 'particles';
  at('chains-word').textContent = frame.fields.has('speed') ? 'force chains' : 'contacts';
  at('size-row').hidden = frame.id.length === 0;
  at('show-walls').disabled = frame.walls.corners.length === 0 && fixed === 0 && show.wants.walls;
  at('show-chains').disabled = frame.contactCount === 0 && !show.wants.chains;
  at('cut-box').hidden = frame.dimension === 2;
}

function fit() {
  const bounds = show.bounds();
  if (!bounds) return;
  stage.lookAt(bounds);
  isFitted = true;
}

// Colour -----------------------------------------------------------------------------------------

function offerFields(frame) {
  const names = choices(frame);
  const list = at('colour');
  if ([...list.options].map((option) => option.value).join() !== names.join()) {
    list.replaceChildren(...names.map((name) => new Option(name)));
    if (!names.includes(show.colour)) show.colour = names[0];
    list.value = show.colour;
  }
}

function tellRange() {
  const [low, high] = show.ranges.current(show.colour);
  for (const [id, value] of [['low', low], ['high', high]])
    if (document.activeElement !== at(id)) at(id).value = written(value, 5);
  at('range').hidden = show.colour === 'nothing' || ['material', 'fixed'].includes(show.colour);
}

at('colour').addEventListener('change', ({ target }) => {
  show.colour = target.value;
  redraw();
});
for (const id of ['low', 'high'])
  at(id).addEventListener('change', () => {
    show.ranges.choose(show.colour, Number(at('low').value), Number(at('high').value));
    redraw();
  });
at('auto').addEventListener('click', () => {
  show.ranges.auto(show.colour);
  redraw();
});

// What is shown ----------------------------------------------------------------------------------

let sizeBefore = 100;

function setSize(percent) {
  at('size').value = percent;
  show.setSize(percent / 100);
}

for (const what of ['particles', 'walls', 'chains'])
  at(`show-${what}`).addEventListener('change', ({ target }) => {
    show.wants[what] = target.checked;
    // Chains run inside of spheres: these step back while they are shown.
    if (what === 'chains' && show.frame?.dimension === 3) {
      if (target.checked) sizeBefore = Number(at('size').value);
      setSize(target.checked ? Math.min(sizeBefore, 30) : sizeBefore);
    }
    redraw();
  });
at('size').addEventListener('input', ({ target }) => setSize(Number(target.value)));

let isFlipped = false;

function setCut() {
  const axis = at('cut-axis').value === '' ? null : Number(at('cut-axis').value);
  at('cut-place').disabled = axis === null;
  at('cut-flip').disabled = axis === null;
  const bounds = show.frame && show.bounds();
  if (axis !== null && !bounds) return;
  const share = Number(at('cut-place').value);
  const place = axis === null ? 0 : bounds[2 * axis] + share * (bounds[2 * axis + 1] - bounds[2 * axis]);
  show.cut.set(axis, place, isFlipped);
  show.cutAnew();
}

at('cut-axis').addEventListener('change', ({ target }) => {
  isFlipped = target.value === '1'; // so that the cut faces the reader, who looks from there
  setCut();
});
at('cut-place').addEventListener('input', setCut);
at('cut-flip').addEventListener('click', () => {
  isFlipped = !isFlipped;
  setCut();
});
at('fit').addEventListener('click', fit);
at('drawer').addEventListener('click', ({ target }) => {
  target.setAttribute('aria-expanded', at('panel').classList.toggle('open'));
});
at('picture').addEventListener('click', async () => {
  const link = document.createElement('a');
  link.download = `${at('title').textContent.replace(/[^\w.-]+/g, '-')}-${timeline.number}.png`;
  link.href = await stage.picture();
  link.click();
});
document.addEventListener('keydown', (event) => {
  if (event.key === 'f' && !event.ctrlKey && !event.metaKey && !event.target.matches?.('input[type=text], select')) fit();
  if (event.key === 'Escape') pick(null);
});

// Picking ----------------------------------------------------------------------------------------

function pick(id) {
  show.picked = id;
  redraw();
}

function tellPicked() {
  const { frame, picked } = show;
  const one = frame.id.length > 0 ? 'particle' : 'block';
  if (picked === null) return showNothingPicked(at('picked'), `Click a ${one} to see its numbers and contacts.`);
  const i = frame.id.indexOf(picked);
  const isBlock = frame.blocks.id.includes(picked);
  if (i < 0 && !isBlock) return showNothingPicked(at('picked'), `${picked} is not in this frame.`);
  const contacts = frame.contactCount > 0
    ? frames.contacts(frame.number).then((all) => contactsOf(all, picked))
    : null;
  return showPicked(at('picked'), {
    facts: i >= 0 ? particleFacts(frame, i) : [['id', picked]],
    frame,
    contacts,
    choose: pick,
  });
}

stage.onClick((from, to) => pick(show.hit(from, to)));

// The run ----------------------------------------------------------------------------------------

async function refreshProbes(told) {
  if (!told.probes) return;
  const columns = parseProbes(await fetchProbes());
  if (!columns) return;
  plot.setColumns(columns);
  at('probes-box').hidden = false;
  if (hasProbes) return;
  hasProbes = true;
  const names = plot.names();
  at('probe').replaceChildren(...names.map((name) => new Option(name)));
  const first = names.find((name) => name === 'kinetic' || name.includes('kinetic')) ?? names[0];
  at('probe').value = first;
  plot.choose(first);
  if (show.frame) plot.setNow(show.frame.time);
}

at('probe').addEventListener('change', ({ target }) => plot.choose(target.value));

function tellProblem(told) {
  if (told.waiting)
    notice('Nothing here yet', `No run has written a frame to ${told.path} so far. The first one shows up by itself.`);
  else notice('This cannot be shown', told.problem);
}

async function poll() {
  const before = timeline.times.length;
  const early = asked;
  asked = null;
  try {
    let told = await (early ?? fetchRun(before));
    if (!told.problem && told.frames < before) {
      frames.forget(); // another run has taken its place
      told = await fetchRun(0);
      timeline.setTimes([]);
    }
    if (told.problem) {
      if (show.frame) warn(told.problem);
      else tellProblem(told);
      return;
    }
    at('title').textContent = told.title || 'abut';
    document.title = `${told.title || 'abut'} · abut`;
    const times = [...timeline.times.slice(0, told.from), ...told.times];
    document.body.classList.toggle('still', times.length < 2);
    timeline.setTimes(times);
    if (times.length > 0 && show.frame) at('now').textContent = clock(timeline.number);
    if (times.length !== before || !hasProbes) await refreshProbes(told);
    if (show.frame) warn('');
  } catch (problem) {
    show.frame ? warn(problem.message) : notice('This cannot be shown', problem.message);
  }
}

async function watch() {
  for (;;) {
    if (!document.hidden) await poll();
    await new Promise((go) => setTimeout(go, pollEvery));
  }
}

// For tests: what is on the screen, and where.
window.abut = { stage, show, timeline };
watch();
