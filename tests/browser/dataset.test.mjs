// Datasets other than runs: results of `abut detect`, damaged files, and 100 000 particles.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import {
  abut, closeBrowser, colorAt, difference, redrawn, folder, openPage, selectionProperties, pixels, frameDisplayed,
  visibleParticle, view,
} from './browser.mjs';

after(closeBrowser);

const rows = (file) =>
  readFileSync(file, 'utf8').trim().split('\n').slice(1).map((line) => line.split(',').map(Number));

test('displays disks of abut detect with their contacts', async (t) => {
  const path = folder(t);
  const [disks, contacts] = [join(path, 'disks.csv'), join(path, 'contacts.csv')];
  assert.equal(abut('scene', 'polydisperse', '--n', '300', '--dim', '2', '--size-ratio', '5', '--solid-fraction', '0.6', '--out', disks).status, 0);
  assert.equal(abut('detect', disks, '--out', contacts).status, 0);
  const page = await openPage(t, (await view(t, path)).address);
  await frameDisplayed(page, 0);
  const pairs = rows(contacts);
  assert.equal(await page.textContent('#summary'), `300 particles · ${pairs.length} contacts`);
  const particle = await visibleParticle(page);
  await page.mouse.click(particle.x, particle.y);
  await page.waitForFunction(() => document.querySelector('#selection table') !== null);
  const properties = await selectionProperties(page);
  const header = readFileSync(disks, 'utf8').split('\n')[0].split(',');
  const row = rows(disks)[particle.index];
  assert.equal(properties.id, String(particle.id));
  properties.position.split(', ').forEach((text, k) =>
    assert.ok(Math.abs(Number(text) - row[header.indexOf('xy'[k])]) < 1e-2, `${text} in ${row}`),
  );
  const count = pairs.filter(([a, b]) => a === particle.id || b === particle.id).length;
  if (count > 0) {
    await page.waitForSelector('.contacts tbody tr');
    assert.equal(await page.locator('.contacts tbody tr').count(), count);
  }
  const before = await pixels(page);
  await page.check('#display-force-chains');
  await redrawn(page);
  await redrawn(page);
  assert.ok(difference(before, await pixels(page)) > 100, 'contacts are drawn');
});

test('draws and selects polygons', async (t) => {
  const path = folder(t);
  const [polygons, contacts] = [join(path, 'polygons.csv'), join(path, 'contacts.csv')];
  assert.equal(abut('scene', 'polygons', '--n', '30', '--seed', '3', '--out', polygons).status, 0);
  assert.equal(abut('detect', polygons, '--margin', '0.05', '--out', contacts).status, 0);
  const page = await openPage(t, (await view(t, path)).address);
  await frameDisplayed(page, 0);
  assert.equal(await page.textContent('#summary'), `30 polygons · ${rows(contacts).length} contacts`);
  const vertices = rows(polygons).filter(([id]) => id === 7);
  const center = [1, 2].map((k) => vertices.reduce((sum, vertex) => sum + vertex[k], 0) / vertices.length);
  const [x, y] = await page.evaluate((point) => window.abut.viewport.project([...point, 0]), center);
  const image = await pixels(page);
  assert.notDeepEqual(colorAt(image, x, y), colorAt(image, image.width - 3, image.height - 3));
  await page.mouse.click(x, y);
  await page.waitForFunction(() => document.querySelector('#selection table') !== null);
  assert.equal((await selectionProperties(page)).id, '7');
  const count = rows(contacts).filter(([a, b]) => a === 7 || b === 7).length;
  if (count > 0) await page.waitForSelector('.contacts tbody tr');
  assert.equal(await page.locator('.contacts tbody tr').count(), count);
});

test('reports an empty folder and damaged files', async (t) => {
  const path = folder(t);
  mkdirSync(join(path, 'empty'));
  const empty = await openPage(t, (await view(t, join(path, 'empty'))).address);
  await empty.waitForSelector('#notice:not([hidden])');
  assert.match(await empty.textContent('#notice'), /No frames yet.*appear here automatically/s);
  writeFileSync(join(path, 'damaged.vtp'), '<VTKFile type="Poly');
  const damaged = await openPage(t, (await view(t, join(path, 'damaged.vtp'))).address);
  await damaged.waitForSelector('#notice:not([hidden])');
  assert.match(await damaged.textContent('#notice'), /Cannot display this dataset.*damaged\.vtp/s);
  writeFileSync(join(path, 'broken.csv'), 'x,y,z,r\n0,0,0,one\n');
  const broken = await openPage(t, (await view(t, join(path, 'broken.csv'))).address);
  await broken.waitForSelector('#notice:not([hidden])');
  assert.match(await broken.textContent('#notice'), /broken\.csv:2/);
});

test('reports a port in use in one line', async (t) => {
  const path = folder(t);
  const { address, stop } = await view(t, path);
  const port = new URL(address).port;
  const { status, stderr } = abut('view', path, '--port', port);
  assert.equal(status, 2);
  assert.equal(stderr, `abut: --port = ${port}: port is in use or not permitted; choose another port or omit --port\n`);
  assert.equal(await stop(), 0);
});

// Records the number of vertices of each WebGL draw call.
const recordDraws = () => {
  window.draws = [];
  const { getContext } = HTMLCanvasElement.prototype;
  HTMLCanvasElement.prototype.getContext = function (...args) {
    const context = getContext.apply(this, args);
    if (!context?.drawArrays || context.isRecorded) return context;
    context.isRecorded = true;
    for (const [name, countArgument] of [['drawArrays', 2], ['drawElements', 1], ['drawArraysInstanced', 2], ['drawElementsInstanced', 1]]) {
      const draw = context[name].bind(context);
      context[name] = (...values) => {
        window.draws.push(values[countArgument]);
        draw(...values);
      };
    }
    return context;
  };
};

test('draws 100 000 particles in one draw call', async (t) => {
  const path = folder(t);
  const particles = join(path, 'particles.csv');
  assert.equal(abut('scene', 'random', '--n', '1e5', '--out', particles).status, 0);
  const { address } = await view(t, path);
  const page = await openPage(t, address, { viewport: { width: 1280, height: 800 } }, recordDraws);
  await page.waitForFunction(() => document.body.dataset.frame === '0' && window.draws.length > 0);
  // The first frame is on the screen after two animation frames of the browser.
  const first = await page.evaluate(() => new Promise((resolve) =>
    requestAnimationFrame(() => requestAnimationFrame(() => resolve(Math.round(performance.now()))))));
  const image = await pixels(page);
  t.diagnostic(`first frame of 100 000 particles ${first} ms after opening the page`);
  console.log(`first frame of 100 000 particles ${first} ms after opening the page`);
  assert.equal(await page.textContent('#summary'), '100,000 particles');
  let covered = 0;
  const background = colorAt(image, image.width - 3, image.height - 3);
  for (let i = 0; i < image.data.length; i += 4)
    if ([0, 1, 2].some((k) => Math.abs(image.data[i + k] - background[k]) > 12)) ++covered;
  assert.ok(covered > 0.1 * image.width * image.height, `${covered} pixels`);
  const draws = await page.evaluate(() => {
    window.draws.length = 0;
    window.abut.viewport.draw();
    return new Promise((resolve) => setTimeout(() => requestAnimationFrame(() => resolve(window.draws)), 1000));
  });
  assert.deepEqual(draws, [300000]);
  const particle = await visibleParticle(page);
  await page.mouse.click(particle.x, particle.y);
  await page.waitForFunction(() => document.querySelector('#selection table') !== null);
  assert.equal((await selectionProperties(page)).id, String(particle.id));
});
