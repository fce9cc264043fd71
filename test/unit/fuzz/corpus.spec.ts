import { describe, expect, it } from '@jest/globals';
import { Random } from '../core/protocol/random.js';
import { SEED } from './assert-property.js';
import { loadTarget, readCorpus, TARGETS, type FuzzTarget } from './targets.js';

const MUTANTS = 1000;
const LONGEST = 4096;

/** Puts something else in a place or two of an input. */
function mutate(bytes: Buffer, random: Random): Buffer {
  let mutant = Buffer.from(bytes.subarray(0, LONGEST));
  for (let change = random.below(4); change >= 0; change -= 1) {
    const at = random.below(mutant.length + 1);
    const end = Math.min(mutant.length, at + random.below(4));
    const piece = [
      Buffer.from([random.below(256)]),
      mutant.subarray(at, at + random.below(32)),
      Buffer.from(
        random.pick(['"', '\\', '{', '[', '%', '__proto__', '\0', '\r\n', '\u202e', '1e400', 'null']),
      ),
    ][random.below(3)]!;
    mutant = Buffer.concat([mutant.subarray(0, at), piece, mutant.subarray(end)]);
  }
  return mutant;
}

/** Gives what a target does with an input, told with the input where that breaks its contract. */
function run({ fuzz }: FuzzTarget, name: string, bytes: Buffer): string | undefined {
  try {
    fuzz(bytes);
    return undefined;
  } catch (error) {
    return `${name} (${bytes.toString('base64')}): ${String(error)}`;
  }
}

describe.each(TARGETS)('The fuzz target "%s"', (name) => {
  it('keeps its contract with every input that is kept for it (SAFE-01)', async () => {
    const target = await loadTarget(name);
    const corpus = readCorpus(name);
    expect(corpus.length).toBeGreaterThan(2);
    expect(corpus.map((input) => run(target, input.name, input.bytes)).filter(Boolean)).toEqual([]);
  });

  it(`keeps it with ${MUTANTS} of their mutants (SAFE-01)`, async () => {
    const target = await loadTarget(name);
    const corpus = readCorpus(name);
    const random = new Random(SEED);
    const broken = Array.from({ length: MUTANTS }, () => {
      const { name: origin, bytes } = random.pick(corpus);
      return run(target, `mutant of ${origin} with seed ${SEED}`, mutate(bytes, random));
    });
    expect(broken.filter(Boolean)).toEqual([]);
  });
});
