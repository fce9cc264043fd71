const { FUZZ_SEED = '42' } = process.env;

/** What random inputs are made from: the environment may say another number. */
export const SEED = Number(FUZZ_SEED);

/** Numbers that look random and are the same for a seed (a linear congruential generator). */
export class Dice {
  #state: number;

  constructor(seed = SEED) {
    this.#state = seed >>> 0;
  }

  /** A whole number from 0 to `sides`, without `sides`. */
  throw(sides: number): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((this.#state / 2 ** 32) * sides);
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[this.throw(items.length)] as Item;
  }

  /** Bytes of all kinds, one character each. */
  noise(longest: number): string {
    const codes = Array.from({ length: this.throw(longest + 1) }, () => this.throw(256));
    return String.fromCharCode(...codes);
  }
}
