import type { ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { EventStreamWriter } from '../../../../../../lib/server/transport/http/streams/event-stream-writer.js';
import { until } from '../../../../../support/until.js';
import { TestServer } from '../../../../support/http-server.js';
import { buildSettings } from '../../../../support/settings.js';

const MOST = 100_000;
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

const bound = (maxQueuedBytes: number) => buildSettings({ streams: { maxQueuedBytes } });

/** More than the buffers of both sockets take on any system. */
const FLOOD = 64_000_000;

describe('The back-pressure of an event stream', () => {
  let server: TestServer;
  const sockets: Socket[] = [];

  beforeEach(async () => {
    server = await TestServer.start();
  });

  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    await server.stop();
  });

  /** A stream whose client reads nothing until it is told to. */
  async function open(maxQueuedBytes = MOST) {
    const arrived = server.nextExchange();
    const socket = connect(server.port, '127.0.0.1').pause();
    socket.on('error', () => undefined);
    sockets.push(socket);
    socket.write('GET /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n');
    const { response } = await arrived;
    let ends = 0;
    const writer = new EventStreamWriter(response, bound(maxQueuedBytes), () => (ends += 1));
    return { socket, response, writer, countEnds: () => ends };
  }

  /** Writes messages, a turn between any two, until the stream is lost or so much is written. */
  async function flood(writer: EventStreamWriter, message: string): Promise<number> {
    let written = 0;
    while (writer.isOpen && written < FLOOD) {
      writer.writeMessage(message);
      written += message.length;
      await turn();
    }
    return written;
  }

  const queuedIn = (response: ServerResponse) => response.writableLength;

  it('takes its stream from a reader that does not read, and gives its memory back (HTTP-08)', async () => {
    const { writer, response, countEnds } = await open();
    expect(await flood(writer, JSON.stringify('x'.repeat(10_000)))).toBeLessThan(FLOOD);
    expect([writer.isOpen, response.destroyed, countEnds()]).toEqual([false, true, 1]);
    writer.writeMessage('more');
    writer.end();
    expect(countEnds()).toBe(1);
  });

  it('lets no more wait than it may and one message (HTTP-08)', async () => {
    const { writer, response } = await open();
    const message = JSON.stringify('x'.repeat(10_000));
    let most = 0;
    for (let written = 0; writer.isOpen && written < FLOOD; written += message.length) {
      writer.writeMessage(message);
      most = Math.max(most, queuedIn(response));
      await turn();
    }
    expect(writer.isOpen).toBe(false);
    expect(most).toBeLessThan(MOST + 2 * message.length);
  });

  it('does not take it for keep-alives that wait (HTTP-08)', async () => {
    const { writer, response } = await open(1000);
    for (let round = 0; round < 100; round++) {
      writer.writeKeepAlive();
      await turn();
    }
    expect([writer.isOpen, response.destroyed]).toEqual([true, false]);
  });

  it('leaves its stream to a reader that reads, however much it is sent in one turn (HTTP-08)', async () => {
    const { writer, socket } = await open();
    let received = 0;
    socket.on('data', (chunk) => (received += chunk.length));
    socket.resume();
    for (let round = 0; round < 20; round++) {
      for (let message = 0; message < 20; message++) writer.writeMessage(JSON.stringify('x'.repeat(10_000)));
      await until(() => received > (round + 1) * 200_000, 'what was sent');
    }
    expect(writer.isOpen).toBe(true);
  });

  it('lets what was kept for a reader wait besides what comes (HTTP-04)', async () => {
    const { writer, socket, response } = await open();
    writer.writeMessage(JSON.stringify('x'.repeat(20 * MOST)));
    writer.allowBacklog();
    for (let round = 0; round < 10; round++) await turn();
    expect([writer.isOpen, response.destroyed]).toEqual([true, false]);
    expect(await flood(writer, JSON.stringify('x'.repeat(10_000)))).toBeLessThan(FLOOD);
    expect(response.destroyed).toBe(true);
    socket.destroy();
  });

  it('keeps a request that waits behind another one on its connection bounded too (HTTP-08)', async () => {
    const responses: ServerResponse[] = [];
    server.handle((_, response) => responses.push(response));
    const socket = connect(server.port, '127.0.0.1');
    socket.on('error', () => undefined);
    sockets.push(socket);
    socket.write('GET /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(2));
    await until(() => responses.length === 2, 'two requests');
    let ends = 0;
    const writers = responses.map(
      (response) => new EventStreamWriter(response, bound(MOST), () => (ends += 1)),
    );
    await flood(writers[1]!, JSON.stringify('x'.repeat(10_000)));
    expect(writers[1]?.isOpen).toBe(false);
    socket.destroy();
    await until(() => ends === 2, 'the end of both streams');
  });
});
