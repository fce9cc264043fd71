import { describe, expect, it } from '@jest/globals';
import { loadTarget, readCorpus, TARGETS } from './targets.js';

const LENGTH = 65_536;

/** Quadratic work on inputs of this length takes many times as long. It is time of the processor, whoever else is busy. */
const LONGEST_MS = 1500;

/** Pieces that grammars repeat, and that patterns may try again from each place. */
const PIECES = [
  'a',
  ' ',
  '\t',
  '"',
  '\\',
  ',',
  ';',
  '=',
  ':',
  '/',
  '.',
  '%41',
  '%',
  '{',
  '[',
  '[1,',
  '{"a":',
  '\0',
  '\n',
  'a=',
  '\u{1f527}',
];

/** Makes a long input of a short piece, at the end of the beginning of a valid one. */
function* pump(corpus: readonly { readonly bytes: Buffer }[]): Generator<Buffer> {
  const beginnings = [Buffer.alloc(0), ...corpus.map(({ bytes }) => bytes.subarray(0, bytes.length / 2))];
  for (const [index, piece] of PIECES.entries()) {
    const beginning = beginnings[index % beginnings.length]!;
    yield Buffer.concat([beginning, Buffer.from(piece.repeat(LENGTH / piece.length)), Buffer.from('!')]);
  }
}

/** Gives the least time of the processor of three turns, or of the first that is short: a collection of garbage falls on one. */
function measureMs(act: () => void): number {
  let least = Infinity;
  for (let turn = 0; turn < 3 && least >= LONGEST_MS; turn += 1) {
    const begun = process.cpuUsage();
    act();
    least = Math.min(least, process.cpuUsage(begun).user / 1000);
  }
  return least;
}

describe.each(TARGETS)('The parsers of the fuzz target "%s"', (name) => {
  it('take little time for much input (SAFE-01)', async () => {
    const { fuzz } = await loadTarget(name);
    const slow = [...pump(readCorpus(name))].flatMap((bytes) => {
      const tookMs = measureMs(() => fuzz(bytes));
      return tookMs < LONGEST_MS ? [] : [`${tookMs} ms for ${bytes.subarray(-20).toString()}`];
    });
    expect(slow).toEqual([]);
  }, 60_000);
});
