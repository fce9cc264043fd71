import type { IncomingMessage } from 'node:http';
import { McpError } from '../../protocol/mcp.error.js';

/** The client went away before its request was whole: there is nobody to answer. */
export class RequestAbortedError extends Error {
  override readonly name = 'RequestAbortedError';
}

/** Gives the error for a body that is longer than it may be. */
export function createBodyTooLargeError(limit: number): McpError {
  return new McpError(-32600, `Invalid request: the body has more than ${limit} bytes`, undefined, 413);
}

/**
 * Reads a request body as text, and no more of it than allowed.
 *
 * @throws {McpError} with HTTP status 413 where it is longer
 * @throws {RequestAbortedError} where the client goes away
 */
export function readBody(request: IncomingMessage, limit: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limit) {
        chunks.push(chunk);
        return;
      }
      request.removeAllListeners('data');
      request.pause();
      reject(createBodyTooLargeError(limit));
    });
    request.on('end', () => resolve(join(chunks, size)));
    request.on('error', () => reject(new RequestAbortedError()));
    request.on('close', () => reject(new RequestAbortedError()));
  });
}

function join(chunks: readonly Buffer[], size: number): string {
  const [only] = chunks;
  return chunks.length === 1 && only !== undefined ? only.toString() : Buffer.concat(chunks, size).toString();
}
