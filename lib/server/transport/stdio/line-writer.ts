import type { Writable } from 'node:stream';
import { Logger } from '../../../core/logger/logger.js';
import {
  OutboundNotification,
  TaggedNotification,
  type OutboundMessage,
} from '../../../core/protocol/outbound-message.js';
import { formatLine, type LogSubject } from '../../log/format-line.js';

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
