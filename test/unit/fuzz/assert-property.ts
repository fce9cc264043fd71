import fc from 'fast-check';

const { FUZZ_SEED = '42' } = process.env;

/** What random inputs of tests are made from: the environment may say another number. */
export const SEED = Number(FUZZ_SEED);

/** Asserts that something holds for a thousand inputs; a failure names the smallest that it does not hold for, and the seed. */
export function assertProperty<Inputs extends [unknown, ...unknown[]]>(
  inputs: { readonly [Index in keyof Inputs]: fc.Arbitrary<Inputs[Index]> },
  holds: (...values: Inputs) => void,
): void {
  fc.assert(fc.property(...inputs, holds), { seed: SEED, numRuns: 1000 });
}

/** Asserts what takes a while to come true. */
export function assertEventually<Inputs extends [unknown, ...unknown[]]>(
  inputs: { readonly [Index in keyof Inputs]: fc.Arbitrary<Inputs[Index]> },
  holds: (...values: Inputs) => Promise<void>,
): Promise<void> {
  return fc.assert(fc.asyncProperty(...inputs, holds), { seed: SEED, numRuns: 200 });
}

/** Texts of any characters, halves of surrogate pairs among them. */
export const anyText = fc.string({
  unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)),
});

/** Texts that UTF-8 can carry. */
export const wellFormedText = fc.string({ unit: 'binary' });
