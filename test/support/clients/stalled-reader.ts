import type { IncomingMessage } from 'node:http';
import { within } from '../until.js';

/** A client that opened a stream and does not read it. */
export class StalledReader {
  constructor(private readonly response: IncomingMessage) {
    response.socket.pause();
  }

  /** Reads on to the end and gives how many bytes had been underway; fails where the stream does not end. */
  async drain(): Promise<number> {
    let bytes = 0;
    this.response.on('data', (chunk: Buffer) => (bytes += chunk.length));
    this.response.on('error', () => undefined);
    const closed = new Promise<void>((resolve) => {
      this.response.once('close', resolve);
    });
    this.response.socket.resume();
    await within(closed, 'the end of a stream that was not read');
    return bytes;
  }
}
