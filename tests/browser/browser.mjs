// Shared by the browser tests: runs the program, starts a browser with software rendering, and reads
// pixels. Environment:
//   ABUT            path of the program
//   ABUT_CHROMIUM   path of the browser
//   ABUT_PAGE       folder in which the page was built, with its node_modules
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const { ABUT, ABUT_CHROMIUM, ABUT_PAGE } = process.env;
const { chromium } = createRequire(`${ABUT_PAGE}/`)('playwright-core');

/** Runs the program and waits for it. */
export function abut(...args) {
  const { status, stderr, stdout } = spawnSync(ABUT, args, { encoding: 'utf8' });
  return { status, stderr, stdout };
}

/** Starts the program without waiting. */
export const start = (...args) => spawn(ABUT, args, { stdio: ['ignore', 'pipe', 'pipe'] });

/** A temporary folder, removed after the test. */
export function folder(t) {
  const path = mkdtempSync(join(tmpdir(), 'abut-view-'));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/**
 * Starts `abut view path` and returns its address and a function that stops it with SIGINT. The exit
 * status must be 0.
 */
export async function view(t, path, ...args) {
  const program = start('view', path, ...args);
  const exited = new Promise((resolve) => program.on('exit', (status, signal) => resolve(status ?? signal)));
  let output = '';
  for await (const chunk of program.stdout) {
    output += chunk;
    if (output.includes('\n')) break;
  }
  const [address] = output.match(/http:\/\/127\.0\.0\.1:\d+\//) ?? [''];
  assert.notEqual(address, '', `abut view printed: ${output}`);
  const stop = () => {
    program.kill('SIGINT');
    return exited;
  };
  t.after(async () => {
    // Pages ask for new frames; without a server that would be an error.
    for (const page of openPages.get(t) ?? []) await page.close();
    assert.equal(await stop(), 0);
  });
  return { address, stop };
}

/** The pages that a test has opened. */
const openPages = new WeakMap();

let sharedBrowser = null;

export async function browser() {
  sharedBrowser ??= await chromium.launch({
    executablePath: ABUT_CHROMIUM,
    ignoreDefaultArgs: ['--hide-scrollbars'], // they need space, as for users
    args: [
      '--no-sandbox',
      '--use-gl=angle',
      '--use-angle=swiftshader',
      '--enable-unsafe-swiftshader',
      '--ignore-gpu-blocklist',
    ],
  });
  return sharedBrowser;
}

export const closeBrowser = async () => (await sharedBrowser)?.close();

/** Opens a page. It must not log errors or warnings, nor send requests to other hosts. */
export async function openPage(t, address, options = {}, initScript = null) {
  const page = await (await browser()).newPage({ viewport: { width: 900, height: 600 }, ...options });
  const problems = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(error.stack));
  page.on('request', (request) => {
    if (!/^(http:\/\/127\.0\.0\.1:|data:|blob:)/.test(request.url())) problems.push(request.url());
  });
  openPages.set(t, [...(openPages.get(t) ?? []), page]);
  if (initScript) await page.addInitScript(initScript);
  await page.goto(address);
  t.after(async () => {
    await page.close();
    assert.deepEqual(problems, []);
  });
  return page;
}

/** Waits until this frame is displayed. */
export async function frameDisplayed(page, index) {
  await page.waitForFunction((n) => document.body.dataset.frame === String(n), index);
  await redrawn(page);
}

export const redrawn = (page) =>
  page.evaluate(
    () => new Promise((resolve) => setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(resolve)), 100)),
  );

/** The canvas as width, height, and the bytes r, g, b, a of each pixel. */
export async function pixels(page) {
  const png = await page.locator('#canvas canvas').screenshot({ animations: 'disabled' });
  const { width, height, text } = await page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes]));
    const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, image.width, image.height);
    let binary = '';
    for (let i = 0; i < data.length; i += 8192) binary += String.fromCharCode(...data.subarray(i, i + 8192));
    return { width: image.width, height: image.height, text: btoa(binary) };
  }, png.toString('base64'));
  return { width, height, data: Buffer.from(text, 'base64') };
}

export const colorAt = ({ width, data }, x, y) => {
  const offset = 4 * (Math.round(y) * width + Math.round(x));
  return [...data.subarray(offset, offset + 3)];
};

/** The number of pixels in which two images differ. */
export function difference(one, other) {
  assert.equal(one.data.length, other.data.length);
  let count = 0;
  for (let i = 0; i < one.data.length; i += 4)
    if ([0, 1, 2].some((k) => Math.abs(one.data[i + k] - other.data[i + k]) > 12)) ++count;
  return count;
}

/** A visible particle: its index in the frame, its id, and the pixel of its center. */
export const visibleParticle = (page) =>
  page.evaluate(() => {
    const { scene, viewport } = window.abut;
    const { position, id } = scene.frame;
    const covered = (x, y) => document.elementFromPoint(x, y)?.closest('#canvas') === null;
    for (let i = 0; i < id.length; ++i) {
      const [x, y] = viewport.project([...position.subarray(3 * i, 3 * i + 3)]);
      if (!covered(x, y) && scene.hit(...viewport.rayAt(x, y)) === id[i]) return { index: i, id: id[i], x, y };
    }
    return null;
  });

/** Properties of the selection as displayed, by name. */
export const selectionProperties = (page) =>
  page.evaluate(() =>
    Object.fromEntries(
      [...document.querySelectorAll('#selection > table tr')].map((row) =>
        [...row.cells].map((cell) => cell.textContent),
      ),
    ),
  );

/** Arrays of a .vtp file written by abut, read independently of the program. */
export function readVtp(path) {
  const bytes = readFileSync(path);
  const text = bytes.toString('latin1');
  const data = text.indexOf('_', text.indexOf('<AppendedData')) + 1;
  const readers = {
    Float64: [8, (offset) => bytes.readDoubleLE(offset)],
    Int32: [4, (offset) => bytes.readInt32LE(offset)],
    UInt8: [1, (offset) => bytes.readUInt8(offset)],
    Int64: [8, (offset) => Number(bytes.readBigInt64LE(offset))],
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
