import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { destroyIfUnread } from '../../../../../lib/server/transport/http/connections/client-progress.js';
import { HttpExchange } from '../../../../../lib/server/transport/http/http-exchange.js';
import { RequestAbortedError } from '../../../../../lib/server/transport/http/bodies/request-body.js';
import { until, within } from '../../../../support/until.js';
import { TestServer } from '../../../support/http-server.js';

const TIMEOUT_MS = 100;
const HEAD = 'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n';
const LONG = 'x'.repeat(16 * 1_048_576);

const BOUNDS = { bytes: 100, values: 100, depth: 10 };

describe('The time that a transfer has', () => {
  let server: TestServer;
  let socket: Socket;
  let received: string;
  let closed: Promise<void>;

  beforeEach(async () => {
    server = await TestServer.start();
    received = '';
    socket = connect(server.port, '127.0.0.1');
    socket.setEncoding('utf8').on('data', (text: string) => (received += text));
    closed = new Promise((resolve) => socket.once('close', () => resolve()));
  });

  afterEach(async () => {
    socket.destroy();
    await server.stop();
  });

  it('ends the wait for a body with 408 and the connection with it (HTTP-07)', async () => {
    server.handle((request, response) => {
      void new HttpExchange(request, response, TIMEOUT_MS).readJson(BOUNDS).catch(() => undefined);
    });
    socket.write(`${HEAD}{"a"`);
    await within(closed, 'the end of the connection');
    expect(received).toMatch(/^HTTP\/1\.1 408 [^]*connection: close[^]*"code":-32600/i);
  });

  it('does not count any more once the body is there (HTTP-07)', async () => {
    const read: HttpExchange[] = [];
    server.handle((request, response) => {
      const exchange = new HttpExchange(request, response, TIMEOUT_MS);
      exchange.readJson(BOUNDS).then(
        () => read.push(exchange),
        () => undefined,
      );
    });
    socket.write(`${HEAD}{"a":`);
    socket.write('1234}');
    await until(() => read.length > 0, 'a body');
    // One that comes later and is given up shows that the time of the first is over.
    const later = connect(server.port, '127.0.0.1').resume();
    const over = new Promise<void>((resolve) => later.once('close', () => resolve()));
    later.write(HEAD);
    await within(over, 'the end of another connection');
    read[0]?.sendEmpty(202);
    await until(() => received !== '', 'an answer');
    expect(received).toMatch(/^HTTP\/1\.1 202 /);
  });

  it('lets whoever waits for a body that is too late go (HTTP-07)', async () => {
    const waiting: Promise<unknown>[] = [];
    server.handle((request, response) => {
      const body = new HttpExchange(request, response, TIMEOUT_MS).readJson(BOUNDS);
      waiting.push(body.catch((error: unknown) => error));
    });
    socket.write(`${HEAD}{"a"`);
    await within(closed, 'the end of the connection');
    expect(await within(Promise.all(waiting), 'the end of the wait')).toEqual([
      expect.any(RequestAbortedError),
    ]);
  });

  it('ends the connection of a client whose refused body does not come (HTTP-07)', async () => {
    server.handle((request, response) => {
      new HttpExchange(request, response, TIMEOUT_MS).sendMessage(415, { json: '{}' });
    });
    socket.write(`${HEAD}x`);
    await within(closed, 'the end of the connection');
    expect(received).toMatch(/^HTTP\/1\.1 415 /);
  });

  it('ends the connection of a client that takes nothing of its answer (HTTP-08)', async () => {
    const arrived = server.nextExchange();
    socket.write(HEAD + '0123456789');
    const { response } = await arrived;
    socket.pause();
    const gone = new Promise<void>((resolve) => response.once('close', resolve));
    response.end(LONG);
    destroyIfUnread(response, TIMEOUT_MS);
    await within(gone, 'the end of an answer');
    socket.resume();
    await within(closed, 'the end of the connection');
    expect(received.length).toBeLessThan(LONG.length);
  });

  it('leaves the time-out of the connection as it was (HTTP-08)', async () => {
    const arrived = server.nextExchange();
    socket.write(HEAD + '0123456789');
    const { response } = await arrived;
    const connection = response.socket!;
    connection.setTimeout(60_000);
    socket.pause();
    response.end(LONG);
    destroyIfUnread(response, 30_000);
    expect(connection.timeout).toBe(30_000);
    let timeout: number | undefined;
    response.prependListener('finish', () => (timeout = connection.timeout));
    const finished = new Promise<void>((resolve) => response.once('finish', resolve));
    socket.resume();
    await within(finished, 'the end of an answer');
    expect(timeout).toBe(30_000);
    expect(connection.timeout).not.toBe(30_000);
  });
});
