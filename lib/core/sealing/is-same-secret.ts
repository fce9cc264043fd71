import { timingSafeEqual } from 'node:crypto';

/** Compares secrets. How long it takes shows whether their lengths are the same, and nothing else. */
export function isSameSecret(expected: Buffer, given: Buffer): boolean {
  return expected.length === given.length && timingSafeEqual(expected, given);
}
