const NEWLINE = 0x0a;

/** What a reader of lines tells. */
export interface LineListener {
  /** A line without its end. */
  onLine(line: string): void;
  /** A line that is longer than lines may be; it was skipped. */
  onTooLong(): void;
}

/** Cuts bytes into lines, each of a bounded length. */
export class LineReader {
  #parts: Buffer[] = [];
  #length = 0;
  #isSkipping = false;

  constructor(
    private readonly longest: number,
    private readonly listener: LineListener,
  ) {}

  /** Takes the next bytes. */
  read(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      this.#add(chunk.subarray(start, end));
      this.#finish();
      start = end + 1;
    }
    this.#add(chunk.subarray(start));
  }

  /** Takes what is left when there are no further bytes. */
  end(): void {
    this.#finish();
  }

  #add(part: Buffer): void {
    if (part.length === 0 || this.#isSkipping) return;
    this.#length += part.length;
    this.#parts.push(part);
    if (this.#length <= this.longest) return;
    this.#isSkipping = true;
    this.#parts = [];
  }

  #finish(): void {
    const { length } = this.#parts;
    const line = length === 1 ? String(this.#parts[0]) : String(Buffer.concat(this.#parts));
    const isTooLong = this.#isSkipping;
    this.#parts = [];
    this.#length = 0;
    this.#isSkipping = false;
    if (isTooLong) this.listener.onTooLong();
    else if (line.trim() !== '') this.listener.onLine(line);
  }
}
