import type { Writable } from 'node:stream';
import { Logger } from '../../../core/logger/logger.js';
import {
  type OutboundMessage,
  OutboundNotification,
  TaggedNotification,
} from '../../../core/protocol/outbound-message.js';
import { formatLine, type LogSubject } from '../../log/format-line.js';

const NEWLINE = 0x0a;

/** Replaces a line that exceeds the length limit; its content is discarded. */
export const TOO_LONG = Symbol('a line that is too long');

/** A line without its newline. */
export type Line = string | typeof TOO_LONG;

/** Splits bytes into lines of limited length, and skips blank ones. */
export class LineReader {
  /** The bytes of an incomplete line. The buffer doubles when it is full, whatever the size of the chunks. */
  #begun = Buffer.alloc(0);
  #length = 0;
  #isSkipping = false;

  constructor(private readonly longest: number) {}

  /** Adds bytes and yields each line that they complete. */
  *read(chunk: Buffer): Generator<Line> {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      const line = this.#finish(chunk.subarray(start, end));
      start = end + 1;
      if (line !== undefined) yield line;
    }
    this.#keep(chunk.subarray(start));
  }

  /** Returns the last line once there are no further bytes. */
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

/** Notifications that are never dropped, because they start or end one of the client's requests. */
const INDISPENSABLE: ReadonlySet<string> = new Set([
  'notifications/cancelled',
  'notifications/subscriptions/acknowledged',
]);

/** Writes one message per line, and tracks whether the client reads them. */
export class LineWriter {
  readonly #logger = new Logger('McpStdio');
  #isDropping = false;
  #release: (() => void) | undefined;

  constructor(
    private readonly output: Writable,
    /** Bytes that may be queued before optional notifications are dropped. */
    private readonly maxQueuedBytes: number,
    /** Describes the client for the log. */
    private readonly describe: () => LogSubject = () => ({}),
  ) {
    const release = (): void => this.#release?.();
    output.on('drain', release).on('close', release);
  }

  /** Bytes that the client has not read yet; infinite if it is gone. */
  get unread(): number {
    return this.output.writable ? this.output.writableLength : Number.POSITIVE_INFINITY;
  }

  /** A client that does not read loses progress, log and change notifications before the server runs out of memory. */
  write(message: OutboundMessage): void {
    if (!this.output.writable) return;
    const isJammed = this.output.writableLength > this.maxQueuedBytes;
    if (isJammed && isHint(message)) return this.#noteDropping(message.method);
    if (!isJammed) this.#isDropping = false;
    this.output.write(`${message.json}\n`);
  }

  /** Resolves when the output has been read, or never will be. */
  async drained(): Promise<void> {
    if (!this.output.writableNeedDrain || !this.output.writable) return;
    await new Promise<void>((resolve) => {
      this.#release = resolve;
    });
    this.#release = undefined;
  }

  /** Stops waiting for the client. */
  abandon(): void {
    this.#release?.();
  }

  /** Logged once: a client that does not read stdout may not read stderr either. */
  #noteDropping(method: string): void {
    if (this.#isDropping) return;
    this.#isDropping = true;
    const line = `The client is not reading: "${method}" was dropped, and later notifications of this kind will be too`;
    this.#logger.warn(formatLine(line, this.describe()));
  }
}

function isHint(message: OutboundMessage): message is OutboundNotification | TaggedNotification {
  const isNotification = message instanceof OutboundNotification || message instanceof TaggedNotification;
  return isNotification && !INDISPENSABLE.has(message.method);
}
