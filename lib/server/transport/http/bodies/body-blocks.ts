/** Bytes that are reserved at a time for a body on its way. A body that reserves step by step finds room until all memory is used. */
export const BLOCK_BYTES = 65_536;

/**
 * Puts the pieces of a body together as they come. Each piece is an object of its own, which takes a hundred bytes and more besides
 * its content, and a client can send its body byte by byte.
 */
export class BodyBlocks {
  readonly #full: Buffer[] = [];
  #open: Buffer = Buffer.alloc(0);
  #filled = 0;
  #size = 0;
  #room = 0;

  /** @param announced the bytes of the whole body; infinite if nobody has announced them */
  constructor(
    private readonly announced: number,
    private readonly blockBytes = BLOCK_BYTES,
  ) {}

  /** Bytes that have come. */
  get size(): number {
    return this.#size;
  }

  add(piece: Buffer): void {
    for (let start = 0; start < piece.length;) {
      if (this.#filled === this.#open.length) this.#begin(piece.length - start);
      const copied = piece.copy(this.#open, this.#filled, start);
      this.#filled += copied;
      start += copied;
    }
    this.#size += piece.length;
  }

  /** Returns all that has come. */
  join(): Buffer {
    const last = this.#open.subarray(0, this.#filled);
    return this.#full.length === 0 ? last : Buffer.concat([...this.#full, last], this.#size);
  }

  #begin(needed: number): void {
    if (this.#filled > 0) this.#full.push(this.#open);
    const bytes = Math.max(Math.min(this.blockBytes, this.announced - this.#room), needed);
    // Not of a pool, which would be kept as a whole for a part of it.
    this.#open = Buffer.allocUnsafeSlow(bytes);
    this.#filled = 0;
    this.#room += bytes;
  }
}
