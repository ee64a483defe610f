// What is no run: results of `abut detect`, damaged files, and a hundred thousand particles.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import {
  abut, closeBrowser, colourAt, difference, drawn, folder, look, pickedFacts, pixels, seen,
  someParticle, view,
} from './browser.mjs';

after(closeBrowser);

const rows = (file) =>
  readFileSync(file, 'utf8').trim().split('\n').slice(1).map((line) => line.split(',').map(Number));

test('discs that were detected are shown with their contacts', async (t) => {
  const path = folder(t);
  const [discs, contacts] = [join(path, 'discs.csv'), join(path, 'contacts.csv')];
  assert.equal(abut('scene', 'polydisperse', '--n', '300', '--dim', '2', '--size-ratio', '5', '--solid-fraction', '0.6', '--out', discs).status, 0);
  assert.equal(abut('detect', discs, '--out', contacts).status, 0);
  const page = await look(t, (await view(t, path)).address);
  await seen(page, 0);
  const pairs = rows(contacts);
  assert.equal(await page.textContent('#facts'), `300 particles · ${pairs.length} contacts`);
  const one = await someParticle(page);
  await page.mouse.click(one.x, one.y);
  await page.waitForFunction(() => document.querySelector('#picked table') !== null);
  const told = await pickedFacts(page);
  const header = readFileSync(discs, 'utf8').split('\n')[0].split(',');
  const row = rows(discs)[one.number];
  assert.equal(told.id, String(one.id));
  told.place.split(', ').forEach((text, k) =>
    assert.ok(Math.abs(Number(text) - row[header.indexOf('xy'[k])]) < 1e-2, `${text} in ${row}`),
  );
  const touching = pairs.filter(([a, b]) => a === one.id || b === one.id).length;
  if (touching > 0) {
    await page.waitForSelector('.contacts tbody tr');
    assert.equal(await page.locator('.contacts tbody tr').count(), touching);
  }
  const before = await pixels(page);
  await page.check('#show-chains');
  await drawn(page);
  await drawn(page);
  assert.ok(difference(before, await pixels(page)) > 100, 'contacts are drawn');
});

test('polygons are drawn and picked', async (t) => {
  const path = folder(t);
  const [polygons, contacts] = [join(path, 'polygons.csv'), join(path, 'contacts.csv')];
  assert.equal(abut('scene', 'polygons', '--n', '30', '--seed', '3', '--out', polygons).status, 0);
  assert.equal(abut('detect', polygons, '--margin', '0.05', '--out', contacts).status, 0);
  const page = await look(t, (await view(t, path)).address);
  await seen(page, 0);
  assert.equal(await page.textContent('#facts'), `30 polygons · ${rows(contacts).length} contacts`);
  const corners = rows(polygons).filter(([number]) => number === 7);
  const middle = [1, 2].map((k) => corners.reduce((sum, corner) => sum + corner[k], 0) / corners.length);
  const [x, y] = await page.evaluate((place) => window.abut.stage.seenAt([...place, 0]), middle);
  const picture = await pixels(page);
  assert.notDeepEqual(colourAt(picture, x, y), colourAt(picture, picture.width - 3, picture.height - 3));
  await page.mouse.click(x, y);
  await page.waitForFunction(() => document.querySelector('#picked table') !== null);
  assert.equal((await pickedFacts(page)).id, '7');
  const touching = rows(contacts).filter(([a, b]) => a === 7 || b === 7).length;
  if (touching > 0) await page.waitForSelector('.contacts tbody tr');
  assert.equal(await page.locator('.contacts tbody tr').count(), touching);
});

test('an empty folder and a damaged file are told kindly', async (t) => {
  const path = folder(t);
  mkdirSync(join(path, 'empty'));
  const empty = await look(t, (await view(t, join(path, 'empty'))).address);
  await empty.waitForSelector('#notice:not([hidden])');
  assert.match(await empty.textContent('#notice'), /Nothing here yet.*shows up by itself/s);
  writeFileSync(join(path, 'damaged.vtp'), '<VTKFile type="Poly');
  const damaged = await look(t, (await view(t, join(path, 'damaged.vtp'))).address);
  await damaged.waitForSelector('#notice:not([hidden])');
  assert.match(await damaged.textContent('#notice'), /This cannot be shown.*damaged\.vtp/s);
  writeFileSync(join(path, 'broken.csv'), 'x,y,z,r\n0,0,0,one\n');
  const broken = await look(t, (await view(t, join(path, 'broken.csv'))).address);
  await broken.waitForSelector('#notice:not([hidden])');
  assert.match(await broken.textContent('#notice'), /broken\.csv:2/);
});

test('a taken port is one line', async (t) => {
  const path = folder(t);
  const { address, end } = await view(t, path);
  const port = new URL(address).port;
  const { status, stderr } = abut('view', path, '--port', port);
  assert.equal(status, 2);
  assert.equal(stderr, `abut: port ${port} is taken or not allowed; choose another --port, or none\n`);
  assert.equal(await end(), 0);
});

// Counts draw calls of WebGL, with the number of corners of each.
const countDraws = () => {
  window.draws = [];
  const { getContext } = HTMLCanvasElement.prototype;
  HTMLCanvasElement.prototype.getContext = function (...words) {
    const context = getContext.apply(this, words);
    if (!context?.drawArrays || context.isCounted) return context;
    context.isCounted = true;
    for (const [name, at] of [['drawArrays', 2], ['drawElements', 1], ['drawArraysInstanced', 2], ['drawElementsInstanced', 1]]) {
      const draw = context[name].bind(context);
      context[name] = (...values) => {
        window.draws.push(values[at]);
        draw(...values);
      };
    }
    return context;
  };
};

test('a hundred thousand particles are one draw call', async (t) => {
  const path = folder(t);
  const particles = join(path, 'particles.csv');
  assert.equal(abut('scene', 'random', '--n', '1e5', '--out', particles).status, 0);
  const { address } = await view(t, path);
  const page = await look(t, address, { viewport: { width: 1280, height: 800 } }, countDraws);
  await page.waitForFunction(() => document.body.dataset.frame === '0' && window.draws.length > 0);
  // Two frames of the browser later the first is on the screen.
  const first = await page.evaluate(() => new Promise((go) =>
    requestAnimationFrame(() => requestAnimationFrame(() => go(Math.round(performance.now()))))));
  const picture = await pixels(page);
  t.diagnostic(`first frame of 100 000 particles ${first} ms after the address was opened`);
  console.log(`first frame of 100 000 particles ${first} ms after the address was opened`);
  assert.equal(await page.textContent('#facts'), '100,000 particles');
  let covered = 0;
  const ground = colourAt(picture, picture.width - 3, picture.height - 3);
  for (let i = 0; i < picture.data.length; i += 4)
    if ([0, 1, 2].some((k) => Math.abs(picture.data[i + k] - ground[k]) > 12)) ++covered;
  assert.ok(covered > 0.1 * picture.width * picture.height, `${covered} pixels`);
  const draws = await page.evaluate(() => {
    window.draws.length = 0;
    window.abut.stage.draw();
    return new Promise((go) => setTimeout(() => requestAnimationFrame(() => go(window.draws)), 1000));
  });
  assert.deepEqual(draws, [300000]);
  const one = await someParticle(page);
  await page.mouse.click(one.x, one.y);
  await page.waitForFunction(() => document.querySelector('#picked table') !== null);
  assert.equal((await pickedFacts(page)).id, String(one.id));
});
