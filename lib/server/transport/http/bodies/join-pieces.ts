import type { IncomingMessage } from 'node:http';
import { BodyBlocks } from './body-blocks.js';

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
