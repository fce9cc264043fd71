import type { ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { EventStreamWriter } from '../../../../../../lib/server/transport/http/streams/event-stream-writer.js';
import { until, within } from '../../../../../support/until.js';
import { TestServer } from '../../../../support/http-server.js';
import { buildSettings } from '../../../../support/settings.js';

const MOST = 100_000;
/** Readers that go on reading have it too, on a machine that may hold them up. */
const TIMEOUT_MS = 1_500;
/** More than the buffers of both sockets take on any system. */
const LONG = JSON.stringify('x'.repeat(24_000_000));
const SHORT = JSON.stringify('x'.repeat(10_000));
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

const SETTINGS = buildSettings({
  streams: { maxQueuedBytes: MOST },
  limits: { transferTimeoutMs: TIMEOUT_MS },
});

describe('A message that alone is more than may wait for a reader', () => {
  let server: TestServer;
  let socket: Socket;
  let writer: EventStreamWriter;
  let response: ServerResponse;
  let received: number;

  beforeEach(async () => {
    server = await TestServer.start();
    const arrived = server.nextExchange();
    socket = connect(server.port, '127.0.0.1').pause();
    socket.on('error', () => undefined);
    socket.write('GET /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n');
    ({ response } = await arrived);
    writer = new EventStreamWriter(response, SETTINGS, () => undefined);
  });

  afterEach(async () => {
    socket.destroy();
    await server.stop();
  });

  /** Reads on, with a pause after each piece if need be. */
  function read(pauseMs = 0): void {
    received = 0;
    socket.on('data', (piece) => {
      received += piece.length;
      if (pauseMs === 0) return;
      socket.pause();
      setTimeout(() => socket.resume(), pauseMs);
    });
    socket.resume();
  }

  it('reaches a reader that reads, and so does the next (HTTP-08)', async () => {
    read();
    for (const count of [1, 2, 3]) {
      writer.writeMessage(LONG);
      await until(() => received > count * LONG.length, 'a long message', 20_000);
    }
    expect([writer.isOpen, response.destroyed]).toEqual([true, false]);
  });

  it('reaches a reader behind what was queued in the same turn (HTTP-08)', async () => {
    read();
    for (let count = 0; count < 9; count += 1) writer.writeMessage(SHORT);
    writer.writeMessage(LONG);
    await until(() => received > LONG.length, 'a long message', 10_000);
    expect(writer.isOpen).toBe(true);
  });

  it('lets no more wait besides than it may (HTTP-08)', async () => {
    writer.writeMessage(LONG);
    await turn();
    await turn();
    expect(writer.isOpen).toBe(true);
    const alone = response.writableLength;
    let most = 0;
    for (let written = 0; writer.isOpen && written < 10 * MOST; written += SHORT.length) {
      writer.writeMessage(SHORT);
      most = Math.max(most, response.writableLength);
      await turn();
    }
    expect([writer.isOpen, response.destroyed]).toEqual([false, true]);
    expect(most - alone).toBeLessThan(MOST + 2 * SHORT.length);
  });

  it('is not joined by another one of its kind (HTTP-08)', async () => {
    writer.writeMessage(LONG);
    writer.writeMessage(LONG);
    await turn();
    await turn();
    expect([writer.isOpen, response.destroyed]).toEqual([false, true]);
  });

  it('costs a reader its stream that takes nothing of it for so long (HTTP-08)', async () => {
    const closed = new Promise<void>((resolve) => response.once('close', resolve));
    writer.writeMessage(LONG);
    const keepAlive = setInterval(() => writer.writeKeepAlive(), TIMEOUT_MS / 4);
    await within(closed, 'the end of a stream').finally(() => clearInterval(keepAlive));
    expect(writer.isOpen).toBe(false);
  });

  it('is waited for while a reader takes some of it (HTTP-08)', async () => {
    const begun = performance.now();
    read(10);
    writer.writeMessage(LONG);
    await until(() => received > LONG.length || response.destroyed, 'a long message', 25_000);
    expect([writer.isOpen, performance.now() - begun > TIMEOUT_MS]).toEqual([true, true]);
  });

  it('leaves the time-out of the connection as it was, once it is read (HTTP-08)', async () => {
    const connection = response.socket!;
    connection.setTimeout(60_000);
    writer.writeMessage(LONG);
    await until(() => connection.timeout === TIMEOUT_MS, 'a time that the reader has');
    read();
    await until(() => received > LONG.length, 'a long message', 10_000);
    writer.writeKeepAlive();
    expect([writer.isOpen, connection.timeout]).toEqual([true, 60_000]);
  });
});
