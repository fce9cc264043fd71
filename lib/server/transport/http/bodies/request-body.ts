import type { StructureLimits } from '../../../../core/protocol/measured-json.js';
import type { IncomingMessage } from 'node:http';
import { McpError } from '../../../../core/protocol/mcp.error.js';

/** Limits on a request body. */
export interface BodyLimits extends StructureLimits {
  readonly bytes: number;
}

/** The client disconnected before its request was complete. */
export class RequestAbortedError extends Error {
  override readonly name = 'RequestAbortedError';
}

/** Called with the number of bytes that arrived and are buffered. */
export type CountBytes = (bytes: number) => void;

/** Returns the error for a body that exceeds the limit. */
export function createBodyTooLargeError(limit: number): McpError {
  return McpError.invalidRequest(
    `the body exceeds ${limit} bytes, the limit set by the option "limits.bodyBytes"`,
    413,
  );
}

/** Returns the error for a body that did not arrive in time (RFC 9110 §15.5.9). */
export function createBodyTooLateError(): McpError {
  return McpError.invalidRequest('the body did not arrive in time', 408);
}

/**
 * Returns a complete, unread body without using a listener. Most bodies share a packet with their headers.
 *
 * @param announced the announced length; Node's parser reports completion only after the last byte
 */
export function takeReceivedBody(
  request: IncomingMessage,
  announced: number,
  limit: number,
): Buffer | undefined {
  const { readableFlowing, readableLength, destroyed, complete } = request;
  const isUntouched = readableFlowing === null && !destroyed;
  const isWhole = complete || readableLength === announced;
  if (!isUntouched || readableLength === 0 || readableLength > limit || !isWhole) return undefined;
  const body = request.read() as Buffer | string | null;
  // Its end event may still be pending and must be consumed.
  request.resume();
  return typeof body === 'string' ? Buffer.from(body) : (body ?? undefined);
}

/** Returns the announced length of a body; infinite if the headers do not contain it. */
export function readAnnounced({ headers }: Pick<IncomingMessage, 'headers'>): number {
  return Number(headers['content-length'] ?? Infinity);
}

/**
 * Reads a request body up to a limit.
 *
 * @param count called with bytes as they arrive. If it throws, reading stops
 * @throws {McpError} with HTTP status 413 if it is longer
 * @throws {RequestAbortedError} if the client disconnects, or has already disconnected
 * @throws {Error} if something else has read it, because waiting for it would never end
 */
export function readBody(
  request: IncomingMessage,
  limit: number,
  count: CountBytes = () => {},
): Promise<Buffer> {
  if (request.readableEnded) {
    return Promise.reject(
      new Error(
        'A request body was read before it reached the MCP endpoint: remove middleware that reads it on that path',
      ),
    );
  }
  if (request.destroyed) return Promise.reject(new RequestAbortedError());
  return new Promise((resolve, reject) => {
    const blocks = new BodyBlocks(readAnnounced(request));
    const collect = (chunk: Buffer): void => {
      try {
        if (blocks.size + chunk.length > limit) throw createBodyTooLargeError(limit);
        count(chunk.length);
        blocks.add(chunk);
      } catch (error) {
        // The rest is discarded so that the client can read the response.
        stop();
        request.resume();
        reject(error);
      }
    };
    const finish = (): void => {
      stop();
      resolve(blocks.join());
    };
    const abort = (): void => {
      stop();
      reject(new RequestAbortedError());
    };
    // The request lives for as long as its response, which may be a stream, and would retain its listeners.
    const stop = (): void => {
      request.off('data', collect).off('end', finish).off('error', abort).off('close', abort);
    };
    request.on('data', collect).on('end', finish).on('error', abort).on('close', abort);
  });
}

/**
 * Joins the chunks of a body that has not been read yet, for example while a token is validated. Node buffers each
 * chunk as an object and limits only their bytes, so a client that sends one-byte chunks would use a hundred times as
 * much memory.
 *
 * Readers of the body receive the same bytes, as if they had arrived together.
 */
export function joinPieces(request: IncomingMessage): void {
  // A body of known length has as many chunks as packets.
  if (request.headers['transfer-encoding'] === undefined) return;
  const { push, _read: read, readableHighWaterMark: most } = request;
  const blocks = new BodyBlocks(Infinity, most);
  const handOver = (): void => {
    Reflect.deleteProperty(request, 'push');
    Reflect.deleteProperty(request, '_read');
    if (blocks.size > 0) push.call(request, blocks.join());
  };
  request.push = (piece: Buffer | null): boolean => {
    if (piece !== null) {
      blocks.add(piece);
      return blocks.size < most;
    }
    handOver();
    return push.call(request, null);
  };
  request._read = (bytes) => {
    handOver();
    read.call(request, bytes);
  };
}

/**
 * The block size in which memory for a body is reserved. Smaller reservations would keep succeeding until all memory
 * is used.
 */
export const BLOCK_BYTES = 65_536;

/**
 * Collects the chunks of a body in blocks. Each chunk is an object of a hundred bytes or more in addition to its
 * content, and a client can send its body byte by byte.
 */
export class BodyBlocks {
  readonly #full: Buffer[] = [];
  #open: Buffer = Buffer.alloc(0);
  #filled = 0;
  #size = 0;
  #room = 0;

  /** @param announced the announced length; infinite if there is none */
  constructor(
    private readonly announced: number,
    private readonly blockBytes = BLOCK_BYTES,
  ) {}

  /** Bytes received. */
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

  /** Returns everything received. */
  join(): Buffer {
    const last = this.#open.subarray(0, this.#filled);
    return this.#full.length === 0 ? last : Buffer.concat([...this.#full, last], this.#size);
  }

  #begin(needed: number): void {
    if (this.#filled > 0) this.#full.push(this.#open);
    const bytes = Math.max(Math.min(this.blockBytes, this.announced - this.#room), needed);
    // A pooled buffer would retain the whole pool.
    this.#open = Buffer.allocUnsafeSlow(bytes);
    this.#filled = 0;
    this.#room += bytes;
  }
}

/** Limits the time until a body ends, whether it is read or not, because it occupies the connection. */
export function awaitRest(request: IncomingMessage, timeoutMs: number, onLate: () => void): void {
  const timer = setTimeout(() => {
    if (!request.readableEnded) onLate();
  }, timeoutMs).unref();
  const stop = (): void => clearTimeout(timer);
  // Over HTTP/2, a request closes only after its response.
  request.once('end', stop).once('close', stop);
}
