import { timingSafeEqual } from 'node:crypto';

/** Compares secrets in a time that tells nothing of where they differ. It does tell whether they are of the same length. */
export function isSameSecret(expected: Buffer, given: Buffer): boolean {
  return expected.length === given.length && timingSafeEqual(expected, given);
}
