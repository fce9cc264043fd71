import { timingSafeEqual } from 'node:crypto';

/** Compares secrets in constant time. The time reveals only whether their lengths are the same. */
export function isSameSecret(expected: Buffer, given: Buffer): boolean {
  return expected.length === given.length && timingSafeEqual(expected, given);
}
