/** Invented names are not kept beyond a number. */
const MOST_NAMES = 1000;

/** Issuers name keys by digests and numbers. */
const LONGEST_NAME = 256;

/**
 * Remembers the keys that tokens name, and that the issuer did not have for signatures when it was last asked. The tokens came
 * before its answer, so such a key cannot be newer than the answer.
 */
export class MissingKeys {
  #asked = new Set<string>();
  #missing: ReadonlySet<string> = this.#asked;

  /** Notes that a token has named a key that is not known. */
  note(name: string): void {
    if (name.length <= LONGEST_NAME && this.#asked.size < MOST_NAMES) this.#asked.add(name);
  }

  /** Takes names for missing, unless the answer has usable keys of them: these, and what was noted since the last answer. */
  settle(names: Iterable<string>): void {
    this.#missing = new Set([...this.#asked, ...names]);
    this.#asked = new Set();
  }

  has(name: string): boolean {
    return this.#missing.has(name);
  }
}
