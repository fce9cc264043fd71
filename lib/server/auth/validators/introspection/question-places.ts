/** Questions under way about tokens that nobody knows: a flood of them must not become one of requests. */
const MOST_UNKNOWN = 256;

/** Those about such tokens from one address. */
const MOST_UNKNOWN_OF_ADDRESS = MOST_UNKNOWN / 4;

/** All questions under way: what is more is for tokens that were active before. */
const MOST_QUESTIONS = MOST_UNKNOWN + 128;

/** What a question is about. */
export interface QuestionSubject {
  /** Whether the token was active before. */
  readonly isKnown: boolean;
  /** Where it came from, if that is known; it is asked for only if the token is not. */
  readonly findAddress: () => string | undefined;
}

/** Shares questions under way out: tokens that anybody can invent leave room for those of callers. */
export class QuestionPlaces {
  readonly #unknownByAddress = new Map<string, number>();
  #taken = 0;
  #unknown = 0;

  get size(): number {
    return this.#taken;
  }

  /** Takes a place. Returns a function that frees it, or `undefined` if there is no place. */
  take({ isKnown, findAddress }: QuestionSubject): (() => void) | undefined {
    if (this.#taken >= MOST_QUESTIONS) return undefined;
    return isKnown ? this.#hold() : this.#takeUnknown(findAddress());
  }

  #takeUnknown(address: string | undefined): (() => void) | undefined {
    if (this.#unknown >= MOST_UNKNOWN) return undefined;
    if (address !== undefined && this.#count(address) >= MOST_UNKNOWN_OF_ADDRESS) return undefined;
    const release = this.#hold();
    this.#add(address, 1);
    return () => {
      release();
      this.#add(address, -1);
    };
  }

  #hold(): () => void {
    this.#taken += 1;
    return () => {
      this.#taken -= 1;
    };
  }

  #add(address: string | undefined, change: 1 | -1): void {
    this.#unknown += change;
    if (address === undefined) return;
    const count = this.#count(address) + change;
    if (count === 0) this.#unknownByAddress.delete(address);
    else this.#unknownByAddress.set(address, count);
  }

  #count(address: string): number {
    return this.#unknownByAddress.get(address) ?? 0;
  }
}
