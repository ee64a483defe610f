// A run of `abut run` as a reader sees it in a real browser.
import assert from 'node:assert/strict';
import { writeFileSync, readdirSync, readFileSync, truncateSync, statSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import {
  abut, closeBrowser, colourAt, difference, drawn, folder, look, pickedFacts, pixels, readVtp, seen,
  someParticle, start, view,
} from './browser.mjs';
import { writeCase } from './falling.mjs';

after(closeBrowser);

function finishedRun(t) {
  const path = folder(t);
  const out = join(path, 'out');
  assert.equal(abut('run', writeCase(path), '--out', out).status, 0);
  return out;
}

const frameFiles = (out) => readdirSync(out).filter((name) => /^particles-.*vtp$/.test(name)).sort();

test('a run is drawn, scrubbed and played', async (t) => {
  const out = finishedRun(t);
  const page = await look(t, (await view(t, out)).address);
  await seen(page, 0);
  assert.equal(await page.textContent('#title'), 'Balls that fall');
  assert.match(await page.textContent('#facts'), /^40 particles/);
  assert.equal(await page.getAttribute('#time', 'max'), String(frameFiles(out).length - 1));

  const first = await pixels(page);
  const ground = colourAt(first, first.width - 4, first.height - 4);
  const one = await someParticle(page);
  assert.notDeepEqual(colourAt(first, one.x, one.y), ground, 'a particle has its colour');

  await page.focus('#canvas');
  for (let n = 1; n <= 6; ++n) await page.keyboard.press('ArrowRight');
  await seen(page, 6);
  assert.match(await page.textContent('#now'), /t = 0\.3 s · 7 \/ 11/);
  const later = await pixels(page);
  assert.ok(difference(first, later) > 500, 'another time is another picture');
  await page.keyboard.press('Home');
  await seen(page, 0);
  await page.locator('#time').fill('6');
  await seen(page, 6);
  assert.ok(difference(later, await pixels(page)) < 20, 'the same time is the same picture');

  await page.focus('#canvas');
  await page.keyboard.press(' ');
  await seen(page, 10); // it plays to the end
  await page.waitForFunction(() => document.getElementById('play').getAttribute('aria-label') === 'Play');
});

test('a picked particle tells its numbers, as in the file', async (t) => {
  const out = finishedRun(t);
  const page = await look(t, (await view(t, out)).address);
  await seen(page, 0);
  await page.keyboard.press('End');
  await seen(page, 10);
  const one = await someParticle(page);
  await page.mouse.click(one.x, one.y);
  await page.waitForFunction(() => document.querySelector('#picked table') !== null);
  const file = readVtp(join(out, frameFiles(out).at(-1)));
  const at = file.id.indexOf(one.id);
  const told = await pickedFacts(page);
  const close = (text, value) => {
    assert.ok(Math.abs(parseFloat(text) - value) <= 1e-3 * Math.abs(value) + 1e-12, `${text} is ${value}`);
  };
  assert.equal(told.id, String(one.id));
  close(told.radius, file.radius[at]);
  close(told.speed, file.speed[at]);
  told.place.split(', ').forEach((text, k) => close(text, file.Points[3 * at + k]));
  assert.equal(told.contacts, String(file.contacts[at]));

  // Its contacts, and from one of them to the neighbour.
  await page.waitForFunction(() => document.querySelector('.contacts').textContent !== '');
  assert.equal(await page.locator('.contacts tbody tr').count(), file.contacts[at]);
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => document.querySelector('#picked table') === null);
});

test('walls, force chains, the cut and colours change what is seen', async (t) => {
  const page = await look(t, (await view(t, finishedRun(t))).address);
  await seen(page, 0);
  await page.keyboard.press('End');
  await seen(page, 10);
  let before = await pixels(page);
  const changes = async (what, act) => {
    await act();
    await drawn(page);
    await drawn(page);
    const now = await pixels(page);
    assert.ok(difference(before, now) > 200, what);
    before = now;
  };
  await changes('walls off', () => page.uncheck('#show-walls'));
  await changes('chains on', () => page.check('#show-chains'));
  assert.match(await page.textContent('#legend'), /force of contacts in N/);
  await changes('chains off', () => page.uncheck('#show-chains'));
  await changes('cut', () => page.selectOption('#cut-axis', '1'));
  await changes('the other side of the cut', () => page.click('#cut-flip'));
  await changes('no cut', () => page.selectOption('#cut-axis', ''));
  await changes('colour', () => page.selectOption('#colour', 'radius'));
  assert.match(await page.textContent('#legend'), /^radius in m/);
  await changes('another range', () => page.fill('#high', '5').then(() => page.press('#high', 'Enter')));
  assert.match(await page.textContent('#legend'), /5$/);
  const names = await page.locator('#colour option').allTextContents();
  for (const name of ['speed', 'velocity', 'velocity z', 'spin', 'material', 'contacts', 'x', 'id'])
    assert.ok(names.includes(name), name);
  await changes('no particles', () => page.uncheck('#show-particles'));
});

test('turning and zooming move the picture, a probe leads to its time', async (t) => {
  const page = await look(t, (await view(t, finishedRun(t))).address);
  await seen(page, 0);
  const first = await pixels(page);
  await page.mouse.move(300, 300);
  await page.mouse.down();
  await page.mouse.move(380, 330, { steps: 4 });
  await page.mouse.up();
  await drawn(page);
  const turned = await pixels(page);
  assert.ok(difference(first, turned) > 500, 'turned');
  await page.mouse.wheel(0, -600);
  await page.waitForTimeout(600);
  await drawn(page);
  assert.ok(difference(turned, await pixels(page)) > 500, 'zoomed');
  const probes = await page.locator('#probe option').allTextContents();
  assert.ok(probes.includes('kinetic') && probes.includes('force_floor_z'));
  assert.ok(!probes.includes('stored') && !probes.includes('solid_fraction'), 'only what is measured');
  await page.locator('#plot').scrollIntoViewIfNeeded();
  const box = await page.locator('#plot').boundingBox();
  await page.mouse.click(box.x + box.width - 10, box.y + box.height / 2);
  await seen(page, 10);
});

test('a run that goes on shows new frames as they come', async (t) => {
  const path = folder(t);
  const out = join(path, 'out');
  mkdirSync(out);
  const page = await look(t, (await view(t, out)).address);
  await page.waitForFunction(() => document.getElementById('notice-title').textContent === 'Nothing here yet');
  const run = start('run', writeCase(path, { end: 0.1 }), '--out', out);
  await new Promise((done) => run.on('exit', done));
  await seen(page, 0);
  assert.equal(await page.isHidden('#notice'), true);
  await page.keyboard.press('End');
  await seen(page, 2);
  writeFileSync(join(out, 'case.toml'), readFileSync(writeCase(path, { end: 0.3 })));
  assert.equal(abut('run', '--resume', out).status, 0);
  await seen(page, 6); // who looks at the newest frame goes on to the next
  assert.equal(await page.getAttribute('#time', 'max'), '6');
});

test('a damaged frame is told, and the others are shown', async (t) => {
  const out = finishedRun(t);
  const bad = join(out, frameFiles(out)[1]);
  truncateSync(bad, statSync(bad).size >> 1);
  const page = await look(t, (await view(t, out)).address);
  await seen(page, 0);
  await page.keyboard.press('ArrowRight');
  await page.waitForFunction((name) => document.getElementById('warning').textContent.includes(name), frameFiles(out)[1]);
  await page.keyboard.press('ArrowRight');
  await seen(page, 2);
  assert.equal(await page.isHidden('#warning'), true);
});

test('a phone shows it, too', async (t) => {
  const page = await look(t, (await view(t, finishedRun(t))).address, {
    viewport: { width: 360, height: 700 }, isMobile: true, hasTouch: true,
  });
  await seen(page, 0);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360);
  assert.equal(await page.isVisible('#colour'), false);
  await page.tap('#drawer');
  assert.equal(await page.isVisible('#colour'), true);
});
