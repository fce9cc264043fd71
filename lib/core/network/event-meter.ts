const LF = 10;
const CR = 13;

/**
 * Measures the events of an event stream as its bytes arrive. An event ends at a blank line, whichever line ends it has.
 *
 * @see HTML Living Standard §9.2.6, "Interpreting an event stream"
 */
export class EventMeter {
  #bytes = 0;
  #isLineEmpty = true;
  #isAfterCr = false;

  constructor(private readonly maximumBytes: number) {}

  /** Takes the next bytes, and tells whether an event in them is too large. */
  isExceeded(chunk: Uint8Array): boolean {
    for (let index = 0; index < chunk.length; index += 1) {
      if (this.#isLongAfter(chunk[index] as number)) return true;
    }
    return false;
  }

  #isLongAfter(byte: number): boolean {
    const isRestOfLineEnd = byte === LF && this.#isAfterCr;
    this.#isAfterCr = byte === CR;
    if (isRestOfLineEnd) return false;
    const isLineEnd = byte === LF || byte === CR;
    this.#bytes = isLineEnd && this.#isLineEmpty ? 0 : this.#bytes + 1;
    this.#isLineEmpty = isLineEnd;
    return this.#bytes > this.maximumBytes;
  }
}
