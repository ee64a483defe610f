// The viewer in a real browser, with the output of `abut run`.
import assert from 'node:assert/strict';
import { writeFileSync, readdirSync, readFileSync, truncateSync, statSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import {
  abut, closeBrowser, colorAt, difference, redrawn, folder, openPage, selectionProperties, pixels, readVtp, frameDisplayed,
  visibleParticle, start, view,
} from './browser.mjs';
import { writeCase } from './falling_case.mjs';

after(closeBrowser);

function finishedRun(t, options = {}) {
  const path = folder(t);
  const out = join(path, 'out');
  assert.equal(abut('run', writeCase(path, options), '--out', out).status, 0);
  return out;
}

const frameFiles = (out) => readdirSync(out).filter((name) => /^particles-.*vtp$/.test(name)).sort();

test('draws, scrubs and plays a run', async (t) => {
  const out = finishedRun(t);
  const page = await openPage(t, (await view(t, out)).address);
  await frameDisplayed(page, 0);
  assert.equal(await page.textContent('#title'), 'Falling spheres');
  assert.match(await page.textContent('#summary'), /^40 particles/);
  assert.equal(await page.getAttribute('#time', 'max'), String(frameFiles(out).length - 1));

  const first = await pixels(page);
  const background = colorAt(first, first.width - 4, first.height - 4);
  const particle = await visibleParticle(page);
  assert.notDeepEqual(colorAt(first, particle.x, particle.y), background, 'particle is drawn');

  await page.focus('#canvas');
  for (let n = 1; n <= 6; ++n) await page.keyboard.press('ArrowRight');
  await frameDisplayed(page, 6);
  assert.match(await page.textContent('#current-time'), /t = 0\.3 s · 7 \/ 11/);
  const later = await pixels(page);
  assert.ok(difference(first, later) > 500, 'another time gives another image');
  await page.keyboard.press('Home');
  await frameDisplayed(page, 0);
  await page.locator('#time').fill('6');
  await frameDisplayed(page, 6);
  assert.ok(difference(later, await pixels(page)) < 20, 'the same time gives the same image');

  await page.focus('#canvas');
  await page.keyboard.press(' ');
  await frameDisplayed(page, 10); // plays to the end
  await page.waitForFunction(() => document.getElementById('play').getAttribute('aria-label') === 'Play');
});

test('lists the properties of the selected particle as in the file', async (t) => {
  const out = finishedRun(t);
  const page = await openPage(t, (await view(t, out)).address);
  await frameDisplayed(page, 0);
  await page.keyboard.press('End');
  await frameDisplayed(page, 10);
  const particle = await visibleParticle(page);
  await page.mouse.click(particle.x, particle.y);
  await page.waitForFunction(() => document.querySelector('#selection table') !== null);
  const file = readVtp(join(out, frameFiles(out).at(-1)));
  const i = file.id.indexOf(particle.id);
  const properties = await selectionProperties(page);
  const close = (text, value) => {
    assert.ok(Math.abs(parseFloat(text) - value) <= 1e-3 * Math.abs(value) + 1e-12, `${text}, not ${value}`);
  };
  assert.equal(properties.id, String(particle.id));
  close(properties.radius, file.radius[i]);
  close(properties.speed, file.speed[i]);
  properties.position.split(', ').forEach((text, k) => close(text, file.Points[3 * i + k]));
  assert.equal(properties['coordination number'], String(file.coordination_number[i]));

  // One row per contact.
  await page.waitForFunction(() => document.querySelector('.contacts').textContent !== '');
  assert.equal(await page.locator('.contacts tbody tr').count(), file.coordination_number[i]);
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => document.querySelector('#selection table') === null);
});

test('updates the view for walls, force chains, clipping and colors', async (t) => {
  const page = await openPage(t, (await view(t, finishedRun(t))).address);
  await frameDisplayed(page, 0);
  await page.keyboard.press('End');
  await frameDisplayed(page, 10);
  let before = await pixels(page);
  const changes = async (what, act) => {
    await act();
    await redrawn(page);
    await redrawn(page);
    const now = await pixels(page);
    assert.ok(difference(before, now) > 200, what);
    before = now;
  };
  await changes('walls off', () => page.uncheck('#display-walls'));
  await changes('force chains on', () => page.check('#display-force-chains'));
  assert.match(await page.textContent('#legend'), /contact force \(N\)/);
  await changes('force chains off', () => page.uncheck('#display-force-chains'));
  await changes('clip', () => page.selectOption('#clip-axis', '1'));
  await changes('flipped clip', () => page.click('#clip-flip'));
  await changes('no clip', () => page.selectOption('#clip-axis', ''));
  await changes('color', () => page.selectOption('#color', 'radius'));
  assert.match(await page.textContent('#legend'), /^radius \(m\)/);
  await changes('another range', () => page.fill('#range-max', '5').then(() => page.press('#range-max', 'Enter')));
  assert.match(await page.textContent('#legend'), /5$/);
  const names = await page.locator('#color option').allTextContents();
  for (const name of ['speed', 'velocity', 'velocity z', 'angular velocity', 'material', 'coordination number', 'x', 'id'])
    assert.ok(names.includes(name), name);
  await changes('no particles', () => page.uncheck('#display-particles'));
});

test('rotates, zooms, and goes to the time of a clicked probe', async (t) => {
  const page = await openPage(t, (await view(t, finishedRun(t))).address);
  await frameDisplayed(page, 0);
  const first = await pixels(page);
  await page.mouse.move(300, 300);
  await page.mouse.down();
  await page.mouse.move(380, 330, { steps: 4 });
  await page.mouse.up();
  await redrawn(page);
  const rotated = await pixels(page);
  assert.ok(difference(first, rotated) > 500, 'rotated');
  await page.mouse.wheel(0, -600);
  await page.waitForTimeout(600);
  await redrawn(page);
  assert.ok(difference(rotated, await pixels(page)) > 500, 'zoomed');
  const probes = await page.locator('#probe option').allTextContents();
  assert.ok(probes.includes('kinetic (J)') && probes.includes('force_floor_z (N)'));
  assert.ok(!probes.includes('elastic (J)') && !probes.includes('solid_fraction'), 'only measured probes');
  await page.locator('#plot').scrollIntoViewIfNeeded();
  const box = await page.locator('#plot').boundingBox();
  await page.mouse.click(box.x + box.width - 10, box.y + box.height / 2);
  await frameDisplayed(page, 10);
});

test('follows a run in progress', async (t) => {
  const path = folder(t);
  const out = join(path, 'out');
  mkdirSync(out);
  const page = await openPage(t, (await view(t, out)).address);
  await page.waitForFunction(() => document.getElementById('notice-title').textContent === 'No frames yet');
  const run = start('run', writeCase(path, { end: 0.1 }), '--out', out);
  await new Promise((resolve) => run.on('exit', resolve));
  await page.waitForFunction(() => document.body.dataset.frame !== undefined); // which one depends on the machine
  assert.equal(await page.isHidden('#notice'), true);
  await page.keyboard.press('End');
  await frameDisplayed(page, 2);
  writeFileSync(join(out, 'case.toml'), readFileSync(writeCase(path, { end: 0.3 })));
  assert.equal(abut('run', '--resume', out).status, 0);
  await frameDisplayed(page, 6); // the latest frame is followed
  assert.equal(await page.getAttribute('#time', 'max'), '6');
});

test('reports a damaged frame and displays the others', async (t) => {
  const out = finishedRun(t);
  const damaged = join(out, frameFiles(out)[1]);
  truncateSync(damaged, statSync(damaged).size >> 1);
  const page = await openPage(t, (await view(t, out)).address);
  await frameDisplayed(page, 0);
  await page.keyboard.press('ArrowRight');
  await page.waitForFunction((name) => document.getElementById('warning').textContent.includes(name), frameFiles(out)[1]);
  await page.keyboard.press('ArrowRight');
  await frameDisplayed(page, 2);
  assert.equal(await page.isHidden('#warning'), true);
});

test('fits the screen of a phone', async (t) => {
  const page = await openPage(t, (await view(t, finishedRun(t))).address, {
    viewport: { width: 360, height: 700 }, isMobile: true, hasTouch: true,
  });
  await frameDisplayed(page, 0);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360);
  assert.equal(await page.isVisible('#color'), false);
  await page.tap('#settings');
  assert.equal(await page.isVisible('#color'), true);
});

test('begins with the first frame that has particles', async (t) => {
  const page = await openPage(t, (await view(t, finishedRun(t, { startTime: 0.2 }))).address);
  await frameDisplayed(page, 4);
  assert.match(await page.textContent('#summary'), /^40 particles/);
  // The particles are at rest in this frame: the color range is that of later ones.
  await page.waitForFunction(() => Number(document.getElementById('range-max').value) > 0.5);
  await page.focus('#canvas');
  await page.keyboard.press('Home');
  await frameDisplayed(page, 0);
  assert.match(await page.textContent('#summary'), /^0 particles/);
});

test('chooses a color range if all particles of the first frame are at rest', async (t) => {
  const page = await openPage(t, (await view(t, finishedRun(t))).address);
  await frameDisplayed(page, 0);
  await page.waitForFunction(() => Number(document.getElementById('range-max').value) > 0.5);
  assert.equal(await page.inputValue('#range-min'), '0');
  assert.doesNotMatch(await page.textContent('#legend'), /\)0$/);
});

test('displays selection and probes with their units, not cut off', async (t) => {
  const page = await openPage(t, (await view(t, finishedRun(t, { end: 1.5 }))).address);
  await frameDisplayed(page, 0);
  await page.keyboard.press('End');
  await frameDisplayed(page, 30);
  const labels = await page.evaluate(() => window.abut.plot.labels);
  for (const label of labels.slice(0, 2)) assert.match(label, / J$/);
  assert.deepEqual(labels.slice(2), ['0 s', '1.5 s']);
  const particle = await visibleParticle(page);
  await page.mouse.click(particle.x, particle.y);
  await page.waitForFunction(() => document.querySelector('.contacts table') !== null);
  assert.deepEqual(await page.locator('.contacts th').allTextContents(), ['contact with', 'force (N)', 'overlap (m)']);
  // A long list, so that there are scroll bars, with long numbers.
  await page.evaluate(() => {
    for (const row of [...document.querySelectorAll('.contacts tbody tr')])
      for (let n = 0; n < 20; ++n) {
        const copy = row.parentElement.appendChild(row.cloneNode(true));
        copy.cells[1].textContent = '123400';
        copy.cells[2].textContent = '1.234e-7';
      }
  });
  const cutOff = await page.evaluate(() =>
    ['#panel', '.contacts'].flatMap((selector) => {
      const box = document.querySelector(selector);
      const right = box.getBoundingClientRect().left + box.clientLeft + box.clientWidth;
      return [...box.querySelectorAll('td, th')]
        .filter((cell) => cell.getBoundingClientRect().right > right + 0.5 || cell.scrollWidth > cell.clientWidth + 1)
        .map((cell) => `${selector}: ${cell.textContent}`);
    }),
  );
  assert.deepEqual(cutOff, []);
  // The unit is on the same line as the last number.
  const position = page.locator('#selection tr', { hasText: 'position' }).locator('.number').last();
  assert.match(await position.textContent(), /^[-0-9.e]+ m$/);
  assert.equal(await position.evaluate((node) => node.getClientRects().length), 1);
  // The selection is scrolled into view.
  const top = await page.locator('#selection').evaluate((node) => node.getBoundingClientRect().top);
  assert.ok(top < 600, `selection begins at ${top} of 600 px`);
});

test('prints no units if the case says units = "none"', async (t) => {
  const out = finishedRun(t);
  const caseFile = join(out, 'case.toml');
  writeFileSync(caseFile, `units = "none"\n${readFileSync(caseFile, 'utf8')}`);
  const page = await openPage(t, (await view(t, out)).address);
  await frameDisplayed(page, 0);
  assert.match(await page.textContent('#current-time'), /^t = 0 ·/);
  assert.doesNotMatch(await page.textContent('#legend'), /\(/);
  const probes = await page.locator('#probe option').allTextContents();
  assert.ok(probes.includes('kinetic'));
  assert.deepEqual((await page.evaluate(() => window.abut.plot.labels)).slice(2), ['0', '0.5']);
});
