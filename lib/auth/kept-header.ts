/** Longer ones are not compared. A multiple of four. */
const LONGEST = 8192;

/** What a header is written to: as bytes, and seen as words, which are fewer. */
const scratch = new Int32Array(LONGEST / Int32Array.BYTES_PER_ELEMENT + 1);
const scratchBytes = Buffer.from(scratch.buffer);

/**
 * A header with a secret, which others are compared with in a time that depends on their length alone. `timingSafeEqual()`
 * takes as long as a digest, nearly all of it for the way out of JavaScript and back.
 */
export class KeptHeader {
  readonly #length: number;
  readonly #words: Int32Array;

  constructor(header: string) {
    this.#length = header.length;
    this.#words = header.length > LONGEST ? new Int32Array() : scratch.slice(0, write(header));
  }

  /** Tells whether a header has the same bytes; one of more than 8192 never has. */
  equals(header: string): boolean {
    const words = this.#words;
    if (header.length !== this.#length || header.length > LONGEST) return false;
    write(header);
    let difference = 0;
    for (let index = 0; index < words.length; index += 1) {
      difference |= (words[index] ?? 0) ^ (scratch[index] ?? 0);
    }
    return difference === 0;
  }
}

/** Writes a header, each of whose characters is a byte as Node reads them, and gives how many words that takes. */
function write(header: string): number {
  const lastWord = header.length >> 2;
  // The header may end within it.
  scratch[lastWord] = 0;
  scratchBytes.write(header, 'latin1');
  return lastWord + 1;
}
