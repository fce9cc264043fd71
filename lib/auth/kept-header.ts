/** Longer ones are not compared. A multiple of sixteen. */
const LONGEST = 8192;

/** Words that are compared at a time: one by one takes more than twice as long. */
const GROUP = 4;

/** What a header is written to: as bytes, and seen as words, which are fewer. Another group takes the end of the longest. */
const scratch = new Int32Array(LONGEST / Int32Array.BYTES_PER_ELEMENT + GROUP);
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
    if (header.length !== this.#length || header.length > LONGEST) return false;
    return equalsScratch(this.#words, write(header));
  }
}

/** Compares groups of words with as many that were written. */
function equalsScratch(words: Int32Array, length: number): boolean {
  let first = 0;
  let second = 0;
  let third = 0;
  let fourth = 0;
  for (let index = 0; index < length; index += GROUP) {
    first |= (words[index] ?? 0) ^ (scratch[index] ?? 0);
    second |= (words[index + 1] ?? 0) ^ (scratch[index + 1] ?? 0);
    third |= (words[index + 2] ?? 0) ^ (scratch[index + 2] ?? 0);
    fourth |= (words[index + 3] ?? 0) ^ (scratch[index + 3] ?? 0);
  }
  return (first | second | third | fourth) === 0;
}

/** Writes a header, each of whose characters is a byte as Node reads them, and gives how many words that takes: whole groups. */
function write(header: string): number {
  const last = (header.length >> 4) * GROUP;
  // The header may end within it.
  scratch[last] = 0;
  scratch[last + 1] = 0;
  scratch[last + 2] = 0;
  scratch[last + 3] = 0;
  scratchBytes.write(header, 'latin1');
  return last + GROUP;
}
