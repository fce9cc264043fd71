import type { Encoded } from '../../../core/protocol/encoding/encode-definition.js';

/** By how much an answer is too long, in bytes of what goes out. */
export interface Excess {
  readonly bytes: number;
  readonly maxBytes: number;
}

/**
 * Makes something shorter of a result that is too long.
 *
 * @throws {McpError} if there is nothing to cut
 */
export type Shorten = (result: Encoded, excess: Excess) => Encoded;

/** The most bytes that a UTF-16 code unit takes as UTF-8. */
const MOST_BYTES = 3;

/** A result of which only so much may go out. */
export class BoundedResult {
  constructor(
    readonly result: Encoded,
    private readonly maxBytes: number,
    private readonly shorten: Shorten,
  ) {}

  /**
   * Returns something shorter if the message that carries the result is too long.
   *
   * @throws {McpError} if there is nothing to cut
   */
  shortenFor(message: string): Encoded | undefined {
    // Most are so short that nothing has to be counted.
    if (message.length * MOST_BYTES <= this.maxBytes) return undefined;
    const bytes = Buffer.byteLength(message);
    return bytes > this.maxBytes ? this.shorten(this.result, { bytes, maxBytes: this.maxBytes }) : undefined;
  }
}

/** Bounds a result, if there is a limit. */
export function boundResult(result: Encoded, maxBytes: number, shorten: Shorten): Encoded | BoundedResult {
  return maxBytes === Infinity ? result : new BoundedResult(result, maxBytes, shorten);
}

/** Bounds a result that is not there yet, if there is a limit: otherwise nothing waits for it here. */
export function boundLater(
  result: Promise<Encoded>,
  maxBytes: number,
  shorten: Shorten,
): Promise<Encoded | BoundedResult> {
  if (maxBytes === Infinity) return result;
  return result.then((given) => boundResult(given, maxBytes, shorten));
}

/** Formats the text for a model or another reader. */
export function formatExcess(subject: string, { bytes, maxBytes }: Excess): string {
  return `${subject} ${bytes} bytes, and only ${maxBytes} may be sent`;
}
