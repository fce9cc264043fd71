/** Draws the same numbers in every run: mulberry32 from a fixed seed. */
export class Random {
  constructor(private state: number) {}

  /** A whole number from 0 to `limit`, without `limit`. */
  below(limit: number): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((((mixed ^ (mixed >>> 14)) >>> 0) * limit) / 2 ** 32) | 0;
  }

  pick<T>(items: ArrayLike<T>): T {
    return items[this.below(items.length)]!;
  }

  /** A text of `minimum` to `maximum` characters of an alphabet. */
  text(alphabet: readonly string[], minimum: number, maximum: number): string {
    const length = minimum + this.below(maximum - minimum + 1);
    return Array.from({ length }, () => this.pick(alphabet)).join('');
  }
}

/** Characters that codecs get wrong: delimiters, escapes, spaces, controls, one to four UTF-8 bytes. */
export const HARD_CHARACTERS = [
  ...'aZ09-._~:/?#[]@!$&\'()*+,;=%"<>\\^`{|} \t\n\r\0\u007f\u0080ßéĀ世\ufeff\uffff🔧😀',
];
