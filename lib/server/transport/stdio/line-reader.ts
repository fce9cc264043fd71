const NEWLINE = 0x0a;

/** Replaces a line that is longer than lines may be; its text is not kept. */
export const TOO_LONG = Symbol('a line that is too long');

/** A line without its end. */
export type Line = string | typeof TOO_LONG;

/** Cuts bytes into lines, each of a bounded length; blank ones are left out. */
export class LineReader {
  /** The bytes of a line that has not ended; its room grows by doubling, however small the chunks are. */
  #begun = Buffer.alloc(0);
  #length = 0;
  #isSkipping = false;

  constructor(private readonly longest: number) {}

  /** Takes the next bytes, and gives the lines that end in them one by one. */
  *read(chunk: Buffer): Generator<Line> {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      const line = this.#finish(chunk.subarray(start, end));
      start = end + 1;
      if (line !== undefined) yield line;
    }
    this.#keep(chunk.subarray(start));
  }

  /** Returns what is left when there are no further bytes. */
  end(): Line | undefined {
    return this.#finish(Buffer.alloc(0));
  }

  #finish(rest: Buffer): Line | undefined {
    const line = this.#complete(rest);
    this.#begun = Buffer.alloc(0);
    this.#length = 0;
    this.#isSkipping = false;
    return line === TOO_LONG || line.trim() !== '' ? line : undefined;
  }

  #complete(rest: Buffer): Line {
    if (this.#isSkipping || this.#length + rest.length > this.longest) return TOO_LONG;
    if (this.#length === 0) return rest.toString();
    this.#keep(rest);
    return this.#begun.toString('utf8', 0, this.#length);
  }

  #keep(part: Buffer): void {
    if (part.length === 0 || this.#isSkipping) return;
    const length = this.#length + part.length;
    if (length > this.longest) return this.#skip();
    if (length > this.#begun.length)
      this.#grow(Math.min(Math.max(length, 2 * this.#begun.length), this.longest));
    part.copy(this.#begun, this.#length);
    this.#length = length;
  }

  #grow(room: number): void {
    const grown = Buffer.allocUnsafe(room);
    this.#begun.copy(grown, 0, 0, this.#length);
    this.#begun = grown;
  }

  #skip(): void {
    this.#isSkipping = true;
    this.#begun = Buffer.alloc(0);
    this.#length = 0;
  }
}
