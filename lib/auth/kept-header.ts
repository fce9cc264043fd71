/** Longer ones are not compared. A multiple of eight. */
const LONGEST = 8192;

/** What a header is written to: as bytes, and seen as words, which are fewer. Two more take the end of the longest. */
const scratch = new Int32Array(LONGEST / Int32Array.BYTES_PER_ELEMENT + 2);
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
    write(header);
    const kept = this.#words;
    const given = scratch;
    // Two at a time take half as long as one by one.
    let even = 0;
    let odd = 0;
    for (let index = 0; index < kept.length; index += 2) {
      even |= (kept[index] ?? 0) ^ (given[index] ?? 0);
      odd |= (kept[index + 1] ?? 0) ^ (given[index + 1] ?? 0);
    }
    return (even | odd) === 0;
  }
}

/** Writes a header, each of whose characters is a byte as Node reads them, and gives how many words that takes: an even number. */
function write(header: string): number {
  const lastPair = (header.length >> 3) << 1;
  // The header may end within it.
  scratch[lastPair] = 0;
  scratch[lastPair + 1] = 0;
  scratchBytes.write(header, 'latin1');
  return lastPair + 2;
}
