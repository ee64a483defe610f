// What the tests of the page share: the program, a browser without a graphics card, and eyes.
//   ABUT            the program
//   ABUT_CHROMIUM   the browser
//   ABUT_PAGE       the folder in which the page was built, with its node_modules
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const { ABUT, ABUT_CHROMIUM, ABUT_PAGE } = process.env;
const { chromium } = createRequire(`${ABUT_PAGE}/`)('playwright-core');

/** Runs the program to its end. */
export function abut(...words) {
  const { status, stderr, stdout } = spawnSync(ABUT, words, { encoding: 'utf8' });
  return { status, stderr, stdout };
}

/** Starts it, and does not wait. */
export const start = (...words) => spawn(ABUT, words, { stdio: ['ignore', 'pipe', 'pipe'] });

/** A folder that vanishes with the test. */
export function folder(t) {
  const path = mkdtempSync(join(tmpdir(), 'abut-view-'));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** `abut view path`: its address, and an end by Ctrl-C, which must be clean. */
export async function view(t, path, ...more) {
  const program = start('view', path, ...more);
  const ended = new Promise((done) => program.on('exit', (status, signal) => done(status ?? signal)));
  let said = '';
  for await (const part of program.stdout) {
    said += part;
    if (said.includes('\n')) break;
  }
  const [address] = said.match(/http:\/\/127\.0\.0\.1:\d+\//) ?? [''];
  assert.notEqual(address, '', `abut view said: ${said}`);
  const end = () => {
    program.kill('SIGINT');
    return ended;
  };
  t.after(async () => assert.equal(await end(), 0));
  return { address, end };
}

let shared = null;

export async function browser() {
  shared ??= await chromium.launch({
    executablePath: ABUT_CHROMIUM,
    args: [
      '--no-sandbox',
      '--use-gl=angle',
      '--use-angle=swiftshader',
      '--enable-unsafe-swiftshader',
      '--ignore-gpu-blocklist',
    ],
  });
  return shared;
}

export const closeBrowser = async () => (await shared)?.close();

/** A page at this address. It must not complain, nor ask anyone but the program. */
export async function look(t, address, options = {}, before = null) {
  const page = await (await browser()).newPage({ viewport: { width: 900, height: 600 }, ...options });
  const complaints = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.stack));
  page.on('request', (request) => {
    if (!/^(http:\/\/127\.0\.0\.1:|data:|blob:)/.test(request.url())) complaints.push(request.url());
  });
  if (before) await page.addInitScript(before);
  await page.goto(address);
  t.after(async () => {
    await page.close();
    assert.deepEqual(complaints, []);
  });
  return page;
}

/** Until this frame is drawn. */
export async function seen(page, number) {
  await page.waitForFunction((n) => document.body.dataset.frame === String(n), number);
  await drawn(page);
}

export const drawn = (page) =>
  page.evaluate(
    () => new Promise((go) => setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(go)), 100)),
  );

/** The canvas as numbers: width, height, and r, g, b, a of each pixel. */
export async function pixels(page) {
  const png = await page.locator('#canvas canvas').screenshot({ animations: 'disabled' });
  const { width, height, text } = await page.evaluate(async (coded) => {
    const bytes = Uint8Array.from(atob(coded), (c) => c.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes]));
    const pen = new OffscreenCanvas(image.width, image.height).getContext('2d');
    pen.drawImage(image, 0, 0);
    const { data } = pen.getImageData(0, 0, image.width, image.height);
    let all = '';
    for (let i = 0; i < data.length; i += 8192) all += String.fromCharCode(...data.subarray(i, i + 8192));
    return { width: image.width, height: image.height, text: btoa(all) };
  }, png.toString('base64'));
  return { width, height, data: Buffer.from(text, 'base64') };
}

export const colourAt = ({ width, data }, x, y) => {
  const at = 4 * (Math.round(y) * width + Math.round(x));
  return [...data.subarray(at, at + 3)];
};

/** How many pixels two pictures differ in. */
export function difference(one, other) {
  assert.equal(one.data.length, other.data.length);
  let count = 0;
  for (let i = 0; i < one.data.length; i += 4)
    if ([0, 1, 2].some((k) => Math.abs(one.data[i + k] - other.data[i + k]) > 12)) ++count;
  return count;
}

/** A particle that is seen, and where: its number in the frame, its id, the pixel of its centre. */
export const someParticle = (page) =>
  page.evaluate(() => {
    const { show, stage } = window.abut;
    const { place, id } = show.frame;
    const covered = (x, y) => document.elementFromPoint(x, y)?.closest('#canvas') === null;
    for (let i = 0; i < id.length; ++i) {
      const [x, y] = stage.seenAt([...place.subarray(3 * i, 3 * i + 3)]);
      if (!covered(x, y) && show.hit(...stage.rayAt(x, y)) === id[i]) return { number: i, id: id[i], x, y };
    }
    return null;
  });

/** What the page tells of the picked one, by name. */
export const pickedFacts = (page) =>
  page.evaluate(() =>
    Object.fromEntries(
      [...document.querySelectorAll('#picked > table tr')].map((row) =>
        [...row.cells].map((cell) => cell.textContent),
      ),
    ),
  );

/** Arrays of a .vtp as abut writes it, read apart from the program. */
export function readVtp(path) {
  const bytes = readFileSync(path);
  const text = bytes.toString('latin1');
  const data = text.indexOf('_', text.indexOf('<AppendedData')) + 1;
  const readers = {
    Float64: [8, (at) => bytes.readDoubleLE(at)],
    Int32: [4, (at) => bytes.readInt32LE(at)],
    UInt8: [1, (at) => bytes.readUInt8(at)],
    Int64: [8, (at) => Number(bytes.readBigInt64LE(at))],
  };
  const arrays = {};
  for (const [, type, name, offset] of text.matchAll(
    /<DataArray type="(\w+)" Name="(\w+)"[^>]*format="appended" offset="(\d+)"/g,
  )) {
    const [size, read] = readers[type];
    const begin = data + Number(offset);
    const count = Number(bytes.readBigUInt64LE(begin)) / size;
    arrays[name] = Array.from({ length: count }, (_, i) => read(begin + 8 + size * i));
  }
  return arrays;
}
