/** Larger numbers are not exact. The largest are written with an exponent, which no header allows (RFC 9110 §10.2.3). */
const LARGEST = Number.MAX_SAFE_INTEGER;

/**
 * Rounds a number up, since the wire has whole numbers.
 *
 * @throws {RangeError} if it is not 0 or more, or too large to be exact
 */
export function roundUpCount(name: string, value: unknown): number {
  if (typeof value === 'number' && value >= 0 && value <= LARGEST) return Math.ceil(value);
  throw new RangeError(`"${name}" must be a number of 0 or more, and at most ${LARGEST}`);
}
