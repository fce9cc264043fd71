/** The name under which the font is used. */
export const BOX_FONT = 'Boxes';

/** Sizes, in units of a thousandth of the font's size. */
const UNITS = 1000;
const ADVANCE = 550;
const ASCENT = 800;
const DESCENT = -200;
const BOX = { left: 50, right: 500, top: 600 };

/** The characters that it has, the space first: whatever the page says. */
const FIRST = 0x20;
const LAST = 0x2fff;

/** Its glyphs: one for what it does not have, the box, and nothing, for spaces. */
const GLYPHS = 3;
const OF_BOX = 1;
const OF_SPACE = 2;

const VERSION_1 = 0x00010000;

/**
 * Builds a font in which every character is the same box: with it a page has the same layout on every machine, whatever fonts that has.
 *
 * @see OpenType 1.9, "Required Tables"
 */
export function buildBoxFont(): Buffer {
  const box = buildBox();
  const ends = [0, box.length, 2 * box.length, 2 * box.length];
  const head = [
    long(VERSION_1, VERSION_1, 0, 0x5f0f3cf5),
    short(0, UNITS, 0, 0, 0, 0, 0, 0, 0, 0),
    short(0, 0, ADVANCE, ASCENT, 0, 8, 2, 1, 0),
  ];
  return buildFile([
    ['OS/2', buildMetrics()],
    ['cmap', buildCharacters()],
    ['glyf', Buffer.concat([box, box])],
    ['head', Buffer.concat(head)],
    [
      'hhea',
      Buffer.concat([
        long(VERSION_1),
        short(ASCENT, DESCENT, 0, ADVANCE, 0, 0, ADVANCE, 1, 0, 0),
        short(0, 0, 0, 0, 0, GLYPHS),
      ]),
    ],
    ['hmtx', short(...Array.from({ length: GLYPHS }, () => [ADVANCE, BOX.left]).flat())],
    ['loca', long(...ends)],
    ['maxp', Buffer.concat([long(VERSION_1), short(GLYPHS, 4, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0)])],
    ['name', buildNames()],
    ['post', long(0x00030000, 0, 0, 0, 0, 0, 0, 0)],
  ]);
}

/** Numbers of two bytes, the higher first. */
function short(...numbers: readonly number[]): Buffer {
  const buffer = Buffer.alloc(2 * numbers.length);
  for (const [index, number] of numbers.entries()) buffer.writeUInt16BE(number & 0xffff, 2 * index);
  return buffer;
}

/** Numbers of four bytes, the highest first. */
function long(...numbers: readonly number[]): Buffer {
  const buffer = Buffer.alloc(4 * numbers.length);
  for (const [index, number] of numbers.entries()) buffer.writeUInt32BE(number, 4 * index);
  return buffer;
}

/** One contour of four points, each of which is told by its way from the one before. */
function buildBox(): Buffer {
  const { left, right, top } = BOX;
  const isOnContour = Buffer.from([1, 1, 1, 1]);
  const across = short(left, 0, right - left, 0);
  const upwards = short(0, top, 0, -top);
  return Buffer.concat([short(1, left, 0, right, top, 3, 0), isOnContour, across, upwards]);
}

/** Which glyph a character has: format 4, with one range whose glyphs are listed, and the one that has to be last. */
function buildCharacters(): Buffer {
  const glyphs = Array.from({ length: LAST - FIRST + 1 }, (_, index) => (index === 0 ? OF_SPACE : OF_BOX));
  const ranges = 2;
  // From the place of the offset to the list, which begins behind the offsets.
  const offset = 2 * ranges;
  const table = Buffer.concat([
    short(2 * ranges, 4, 1, 0),
    short(LAST, 0xffff, 0),
    short(FIRST, 0xffff),
    short(0, 1),
    short(offset, 0),
    short(...glyphs),
  ]);
  return Buffer.concat([short(0, 1, 3, 1), long(12), short(4, table.length + 6, 0), table]);
}

/** The table "OS/2", version 4. */
function buildMetrics(): Buffer {
  const family = Buffer.alloc(10);
  const ranges = long(1, 0, 0, 0);
  return Buffer.concat([
    short(4, ADVANCE, 400, 5, 0, 650, 700, 0, 140, 650, 700, 0, 480, 50, 300, 0),
    family,
    ranges,
    Buffer.from('BOXS'),
    short(0x40, FIRST, LAST, ASCENT, DESCENT, 0, ASCENT, -DESCENT),
    long(1, 0),
    short(BOX.top, BOX.top, 0, FIRST, 1),
  ]);
}

/** Family, style, and the other names that a font must have, for Windows in UTF-16. */
function buildNames(): Buffer {
  const names = [BOX_FONT, 'Regular', BOX_FONT, BOX_FONT, 'Version 1.0', BOX_FONT];
  const texts = names.map((name) => Buffer.from(name, 'utf16le').swap16());
  let offset = 0;
  const records = texts.map((text, index) => {
    const record = short(3, 1, 0x409, index + 1, text.length, offset);
    offset += text.length;
    return record;
  });
  return Buffer.concat([short(0, records.length, 6 + 12 * records.length), ...records, ...texts]);
}

/** Puts tables behind a directory, each at a multiple of four bytes. */
function buildFile(tables: readonly (readonly [tag: string, table: Buffer])[]): Buffer {
  const power = Math.floor(Math.log2(tables.length));
  let offset = 12 + 16 * tables.length;
  const parts = tables.map(([tag, table]) => {
    const padded = Buffer.concat([table, Buffer.alloc(-table.length & 3)]);
    const entry = Buffer.concat([Buffer.from(tag), long(sum(padded), offset, table.length)]);
    offset += padded.length;
    return { entry, padded };
  });
  const range = 16 * 2 ** power;
  return Buffer.concat([
    long(VERSION_1),
    short(tables.length, range, power, 16 * tables.length - range),
    ...parts.map(({ entry }) => entry),
    ...parts.map(({ padded }) => padded),
  ]);
}

function sum(table: Buffer): number {
  let total = 0;
  for (let at = 0; at < table.length; at += 4) total = (total + table.readUInt32BE(at)) >>> 0;
  return total;
}
