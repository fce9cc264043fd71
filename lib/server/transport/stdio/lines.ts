import type { Writable } from 'node:stream';
import { Logger } from '../../../core/logger/logger.js';
import {
  type OutboundMessage,
  OutboundNotification,
  TaggedNotification,
} from '../../../core/protocol/outbound-message.js';
import { formatLine, type LogSubject } from '../../log/format-line.js';

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

/** Messages that a client needs: they report the beginning or the end of its own request. */
const INDISPENSABLE: ReadonlySet<string> = new Set([
  'notifications/cancelled',
  'notifications/subscriptions/acknowledged',
]);

/** Writes messages to a pipe, a line each, and knows whether the other end reads them. */
export class LineWriter {
  readonly #logger = new Logger('McpStdio');
  #isDropping = false;
  #release: (() => void) | undefined;

  constructor(
    private readonly output: Writable,
    /** How much may wait for a reader before hints are dropped. */
    private readonly maxQueuedBytes: number,
    /** Says who is at the other end. */
    private readonly describe: () => LogSubject = () => ({}),
  ) {
    const release = (): void => this.#release?.();
    output.on('drain', release).on('close', release);
  }

  /** Bytes that wait for the other end; infinite if it is gone. */
  get unread(): number {
    return this.output.writable ? this.output.writableLength : Number.POSITIVE_INFINITY;
  }

  /** A client that does not read loses hints of changes, progress and log entries before the server loses its memory. */
  write(message: OutboundMessage): void {
    if (!this.output.writable) return;
    const isJammed = this.output.writableLength > this.maxQueuedBytes;
    if (isJammed && isHint(message)) return this.#noteDropping(message.method);
    if (!isJammed) this.#isDropping = false;
    this.output.write(`${message.json}\n`);
  }

  /** Resolves when what was written is taken by the other end, or never will be. */
  async drained(): Promise<void> {
    if (!this.output.writableNeedDrain || !this.output.writable) return;
    await new Promise<void>((resolve) => {
      this.#release = resolve;
    });
    this.#release = undefined;
  }

  /** Waits for the other end no longer. */
  abandon(): void {
    this.#release?.();
  }

  /** Once is enough: a client that does not read the one pipe may not read the other either. */
  #noteDropping(method: string): void {
    if (this.#isDropping) return;
    this.#isDropping = true;
    const line = `The client does not read: "${method}" was dropped, and so are later ones of its kind`;
    this.#logger.warn(formatLine(line, this.describe()));
  }
}

function isHint(message: OutboundMessage): message is OutboundNotification | TaggedNotification {
  const isNotification = message instanceof OutboundNotification || message instanceof TaggedNotification;
  return isNotification && !INDISPENSABLE.has(message.method);
}
