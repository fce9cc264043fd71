import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { BOX_FONT, buildBoxFont } from './box-font.js';
import { compareLayouts, readLayout } from './layout.js';

/** What is committed, and where what was found instead is put. */
const KEPT = fileURLToPath(new URL('pictures', import.meta.url));
const DOCS = fileURLToPath(new URL('../../docs/images', import.meta.url));
const FOUND = fileURLToPath(new URL('../../.build/pictures', import.meta.url));

/** The one command that takes the pictures again. */
const COMMAND = 'npm run pictures';
const isRenewing = process.env.PICTURES === 'renew';

/** Pixels of a side of the squares that pictures are made of: what fonts and releases of browsers draw otherwise is smaller. */
const SQUARE = 8;

/** By how much the color of a square may differ, of 255, and how many of a hundred squares may differ by more. */
const TOLERANCE = 40;
const MOST_DIFFERENT = 1.5;

/** What the page looks like in its states: pictures in large squares, and the places of what is on it. */
export class PictureBook {
  /** Has a page drawn in a font of boxes, which is the same on every machine. */
  static async prepare(page: Page): Promise<void> {
    const font = JSON.stringify(buildBoxFont().toString('base64'));
    await page.evaluate(`(async () => {
      const bytes = Uint8Array.from(atob(${font}), (character) => character.codePointAt(0));
      document.fonts.add(await new FontFace('${BOX_FONT}', bytes.buffer).load());
      const sheet = new CSSStyleSheet();
      sheet.replaceSync('* { font-family: ${BOX_FONT} !important; scrollbar-width: none !important; caret-color: transparent !important; }');
      document.adoptedStyleSheets = [sheet];
    })()`);
  }

  /** Takes the picture of the docs again, if that is asked for, as this machine draws it; tells whether there is one. */
  static async takeForDocs(page: Page, name: string): Promise<boolean> {
    const path = join(DOCS, `${name}.png`);
    if (isRenewing) await page.screenshot({ path, animations: 'disabled', caret: 'hide' });
    return existsSync(path);
  }

  /** @param desk a page of nobody, which takes pictures apart */
  constructor(private readonly desk: Page) {}

  /**
   * Compares what a page looks like with what is kept under a name, in the light and in the dark, or keeps it if that is asked for.
   *
   * @returns what is different, with where to look
   */
  async findDifferences(page: Page, name: string): Promise<readonly string[]> {
    const differences = await this.#judgeLayout(page, name);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      differences.push(...(await this.#judgePicture(page, `${name}-${colorScheme}`)));
    }
    if (differences.length === 0) return [];
    return [
      `If "${name}" is as it should be, run "${COMMAND}": what was found is in ${FOUND}`,
      ...differences,
    ];
  }

  async #judgeLayout(page: Page, name: string): Promise<string[]> {
    const layout = await readLayout(page);
    const differences = isRenewing ? [] : compareLayouts(await this.#read(`${name}.txt`, 'utf8'), layout);
    if (isRenewing || differences.length > 0) await write(`${name}.txt`, layout, 'utf8');
    return [...differences];
  }

  async #judgePicture(page: Page, name: string): Promise<readonly string[]> {
    const taken = (await page.screenshot({ animations: 'disabled', caret: 'hide' })).toString('base64');
    const { picture, difference } = await this.#compare(taken, await this.#read(`${name}.png`, 'base64'));
    if (isRenewing) await write(`${name}.png`, picture, 'base64');
    if (isRenewing || difference === undefined) return [];
    await write(`${name}.png`, picture, 'base64');
    await write(`${name}.whole.png`, taken, 'base64');
    return [`${name}.png: ${difference}`];
  }

  async #read(name: string, encoding: 'base64' | 'utf8'): Promise<string> {
    const file = join(KEPT, name);
    return existsSync(file) ? readFile(file, encoding) : '';
  }

  /** Gives a picture in squares, and what is different from the kept one. */
  async #compare(taken: string, kept: string): Promise<Comparison> {
    const given = JSON.stringify({ taken, kept, SQUARE, TOLERANCE });
    const { picture, count, of, box } = await this.desk.evaluate<Squares>(`(${COMPARE})(${given})`);
    if (kept === '') return { picture, difference: 'there is none yet' };
    if (box === undefined) return { picture, difference: 'the one that is kept has another size' };
    const percent = (100 * count) / of;
    if (percent <= MOST_DIFFERENT) return { picture };
    const [left, top, right, bottom] = box;
    const place = `between ${left}, ${top} and ${right}, ${bottom}`;
    return { picture, difference: `${percent.toFixed(1)} % of it has other colors, ${place}` };
  }
}

/** Puts a file to those that are kept, or to those that were found instead. */
async function write(name: string, content: string, encoding: 'base64' | 'utf8'): Promise<void> {
  const folder = isRenewing ? KEPT : FOUND;
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, name), content, encoding);
}

interface Comparison {
  readonly picture: string;
  readonly difference?: string;
}

interface Squares {
  /** In squares, as PNG in base64. */
  readonly picture: string;
  /** How many squares differ, of how many. */
  readonly count: number;
  readonly of: number;
  /** Where these are, in pixels of the page; absent if the pictures have different sizes. */
  readonly box?: readonly [left: number, top: number, right: number, bottom: number];
}

/** Runs in a browser, which can read pictures. */
const COMPARE = `async ({ taken, kept, SQUARE, TOLERANCE }) => {
  const read = async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (character) => character.codePointAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
    const context = canvas.getContext('2d', { willReadFrequently: true });
    context.drawImage(bitmap, 0, 0);
    return context.getImageData(0, 0, bitmap.width, bitmap.height);
  };
  const { width, height, data } = await read(taken);
  const small = new ImageData(Math.ceil(width / SQUARE), Math.ceil(height / SQUARE));
  for (let y = 0; y < small.height; y += 1) for (let x = 0; x < small.width; x += 1) {
    const sums = [0, 0, 0];
    let count = 0;
    for (let row = y * SQUARE; row < Math.min(height, (y + 1) * SQUARE); row += 1)
      for (let column = x * SQUARE; column < Math.min(width, (x + 1) * SQUARE); column += 1) {
        for (let channel = 0; channel < 3; channel += 1) sums[channel] += data[4 * (row * width + column) + channel];
        count += 1;
      }
    small.data.set([...sums.map((sum) => Math.round(sum / count)), 255], 4 * (y * small.width + x));
  }
  const canvas = new OffscreenCanvas(small.width, small.height);
  canvas.getContext('2d').putImageData(small, 0, 0);
  const png = new Uint8Array(await (await canvas.convertToBlob({ type: 'image/png' })).arrayBuffer());
  const picture = btoa(String.fromCodePoint(...png));
  const of = small.width * small.height;
  const before = kept === '' ? undefined : await read(kept);
  if (before?.width !== small.width || before.height !== small.height) return { picture, count: of, of };
  const box = [Infinity, Infinity, 0, 0];
  let count = 0;
  for (let y = 0; y < small.height; y += 1) for (let x = 0; x < small.width; x += 1) {
    const at = 4 * (y * small.width + x);
    if ([0, 1, 2].every((channel) => Math.abs(small.data[at + channel] - before.data[at + channel]) <= TOLERANCE)) continue;
    count += 1;
    box[0] = Math.min(box[0], x * SQUARE);
    box[1] = Math.min(box[1], y * SQUARE);
    box[2] = Math.max(box[2], (x + 1) * SQUARE);
    box[3] = Math.max(box[3], (y + 1) * SQUARE);
  }
  return { picture, count, of, box };
}`;
