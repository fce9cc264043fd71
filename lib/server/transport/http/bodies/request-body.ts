import type { StructureLimits } from '../../../../core/protocol/measured-json.js';
import type { IncomingMessage } from 'node:http';
import { McpError } from '../../../../core/protocol/mcp.error.js';

/** How much a request body may have. */
export interface BodyBounds extends StructureLimits {
  readonly bytes: number;
}

/** The client went away before its request was whole: there is nobody to answer. */
export class RequestAbortedError extends Error {
  override readonly name = 'RequestAbortedError';
}

/** Is called with bytes that are kept until the body is complete. */
export type CountBytes = (bytes: number) => void;

/** Returns the error for a body that is longer than it may be. */
export function createBodyTooLargeError(limit: number): McpError {
  return McpError.invalidRequest(
    `the body has more than ${limit} bytes, the limit that the option "limits.bodyBytes" sets`,
    413,
  );
}

/** Returns the error for a body that did not come in the time that it has (RFC 9110 §15.5.9). */
export function createBodyTooLateError(): McpError {
  return McpError.invalidRequest('the body took too long', 408);
}

/**
 * Takes a request body that is here as a whole and that nobody has touched, without a listener: most come in one packet with
 * their headers.
 *
 * @param announced the bytes that the headers announce, since Node's parser says that a body is whole only after its last byte
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
  // Its end may be still to come, and has to be taken too.
  request.resume();
  return typeof body === 'string' ? Buffer.from(body) : (body ?? undefined);
}

/** Reads how many bytes a body has; infinite if its headers do not say so. */
export function readAnnounced({ headers }: Pick<IncomingMessage, 'headers'>): number {
  return Number(headers['content-length'] ?? Infinity);
}

/**
 * Reads a request body, and no more of it than allowed.
 *
 * @param count is called with the bytes as they arrive. If it throws, the reading ends
 * @throws {McpError} with HTTP status 413 if it is longer
 * @throws {RequestAbortedError} if the client goes away, or is gone already
 * @throws {Error} if something else has read it: it would be waited for without end
 */
export function readBody(
  request: IncomingMessage,
  limit: number,
  count: CountBytes = () => {},
): Promise<Buffer> {
  if (request.readableEnded) {
    return Promise.reject(
      new Error('The body of a request was read before the MCP endpoint: let nothing read it on that path'),
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
        // The rest is read and thrown away, so that the client gets to read the answer.
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
    // The request lasts as long as its answer, which may be a stream, and would keep what listens to it.
    const stop = (): void => {
      request.off('data', collect).off('end', finish).off('error', abort).off('close', abort);
    };
    request.on('data', collect).on('end', finish).on('error', abort).on('close', abort);
  });
}

/**
 * Joins the pieces of a body that nobody reads yet, as while a token is checked. Node keeps each piece as an object of its own until then,
 * and bounds their bytes alone. A client that sends chunks of one byte would make it keep a hundred times as much.
 *
 * Whoever reads the body gets the same bytes, as if they had come at once.
 */
export function joinPieces(request: IncomingMessage): void {
  // A body of a known length comes in as many pieces as packets.
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

/** Sees to it that a body comes to its end in time, read or not: it keeps the connection as long as it lasts. */
export function awaitRest(request: IncomingMessage, timeoutMs: number, onLate: () => void): void {
  const timer = setTimeout(() => {
    if (!request.readableEnded) onLate();
  }, timeoutMs).unref();
  const stop = (): void => clearTimeout(timer);
  // Of these, HTTP/2 has the close of a request only when its answer is over.
  request.once('end', stop).once('close', stop);
}
