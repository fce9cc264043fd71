import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { McpError } from '../../../../../../lib/core/protocol/mcp.error.js';
import type { HttpExchange } from '../../../../../../lib/server/transport/http/http-exchange.js';
import {
  createBodyTooLargeError,
  readBody,
  RequestAbortedError,
} from '../../../../../../lib/server/transport/http/bodies/request-body.js';
import { openHttp, readResponse, sendBytes, sendHttp } from '../../../../../support/clients/raw-http.js';
import { within } from '../../../../../support/until.js';
import { TestServer } from '../../../../support/http-server.js';

const HEAD = 'POST /mcp HTTP/1.1\r\nHost: localhost\r\n';

describe('readBody', () => {
  let server: TestServer;

  beforeEach(async () => {
    server = await TestServer.start();
  });

  afterEach(() => server.stop());

  /** Answers each request with what was read of it. */
  function echo(limit: number): void {
    server.handle((request, response) => {
      readBody(request, limit).then(
        (body) => response.end(JSON.stringify(body.toString())),
        (error: Error) => response.writeHead(413, { connection: 'close' }).end(error.message),
      );
    });
  }

  it.each([
    ['nothing', ''],
    ['text', '{"a":1}'],
    ['text of several bytes a character', '{"a":"é世😀"}'],
    ['as many bytes as allowed', 'x'.repeat(1000)],
  ])('gives %s as it was sent (HTTP-07)', async (_what, body) => {
    echo(1000);
    expect((await sendHttp(server.url, { method: 'POST', body })).json).toBe(body);
  });

  it('puts characters together whose bytes come apart (HTTP-07)', async () => {
    server.handle((request, response) => {
      void readBody(request, 100).then((body) => response.end(JSON.stringify(body.toString())));
    });
    const socket = connect(server.port, '127.0.0.1');
    const answered = new Promise<string>((resolve) =>
      socket.on('data', (chunk) => resolve(chunk.toString())),
    );
    socket.write(`${HEAD}Transfer-Encoding: chunked\r\n\r\n`);
    for (const byte of Buffer.from('é😀'))
      socket.write(Buffer.concat([Buffer.from('1\r\n'), Buffer.from([byte]), Buffer.from('\r\n')]));
    socket.write('0\r\n\r\n');
    expect(await within(answered, 'an answer')).toContain('"é😀"');
    socket.destroy();
  });

  it('refuses one byte more than allowed, with HTTP status 413 (HTTP-07)', async () => {
    echo(1000);
    const answer = await sendHttp(server.url, { method: 'POST', body: 'x'.repeat(1001) });
    expect([answer.status, answer.text]).toEqual([413, createBodyTooLargeError(1000).message]);
    expect(createBodyTooLargeError(1000)).toMatchObject({ code: -32600, httpStatus: 413 });
  });

  it('counts bytes, not characters (HTTP-07)', async () => {
    echo(1000);
    expect((await sendHttp(server.url, { method: 'POST', body: 'é'.repeat(500) })).status).toBe(200);
    expect((await sendHttp(server.url, { method: 'POST', body: 'é'.repeat(501) })).status).toBe(413);
  });

  it('refuses a body whose length nobody announced, as soon as it is too long (HTTP-07)', async () => {
    echo(1000);
    const chunk = `400\r\n${'x'.repeat(0x400)}\r\n`;
    const bytes = `${HEAD}Transfer-Encoding: chunked\r\n\r\n${chunk}`;
    expect(await sendBytes(server.port, bytes)).toContain('413');
  });

  it('keeps none of what is too long (HTTP-07)', async () => {
    const arrived = server.nextExchange();
    const socket = connect(server.port, '127.0.0.1');
    socket.write(`${HEAD}Content-Length: 1000000\r\n\r\n${'x'.repeat(100)}`);
    const { raw } = await arrived;
    await expect(readBody(raw, 10)).rejects.toMatchObject({ httpStatus: 413 });
    expect(raw.listenerCount('data')).toBe(0);
    socket.destroy();
  });

  it('leaves nothing on the request that would keep the body as long as its answer lasts (HTTP-07)', async () => {
    const countListeners = ({ raw }: HttpExchange) =>
      ['data', 'end', 'error', 'close'].map((event) => raw.listenerCount(event));
    for (const [limit, status] of [
      [100, 200],
      [10, 413],
    ] as const) {
      const arrived = server.nextExchange();
      const socket = connect(server.port, '127.0.0.1');
      socket.write(`${HEAD}Content-Length: 20\r\n\r\n0123456789`);
      const exchange = await arrived;
      const before = countListeners(exchange);
      const read = readBody(exchange.raw, limit).then(
        () => 200,
        ({ httpStatus }: McpError) => httpStatus,
      );
      socket.write('0123456789');
      expect([await within(read, 'the end of the body'), countListeners(exchange)]).toEqual([status, before]);
      socket.destroy();
    }
  });

  it.each([
    ['before its first byte', ''],
    ['in the middle', '{"a"'],
  ])('rejects where the client goes away %s (SAFE-01)', async (_when, part) => {
    const arrived = server.nextExchange();
    const socket = connect(server.port, '127.0.0.1');
    socket.write(`${HEAD}Content-Length: 100\r\n\r\n${part}`);
    const { raw } = await arrived;
    const read = readBody(raw, 1000);
    socket.destroy();
    await expect(within(read, 'the end of the body')).rejects.toThrow(RequestAbortedError);
  });

  it('rejects where the client is gone already (SAFE-01)', async () => {
    const arrived = server.nextExchange();
    const socket = connect(server.port, '127.0.0.1');
    socket.write(`${HEAD}Content-Length: 100\r\n\r\n{`);
    const { raw } = await arrived;
    const closed = new Promise((resolve) => raw.once('close', resolve));
    raw.once('error', () => undefined);
    socket.destroy();
    await within(closed, 'the end of the connection');
    await expect(within(readBody(raw, 1000), 'the end of the body')).rejects.toThrow(RequestAbortedError);
  });

  it('rejects where something else has read the body (SAFE-01)', async () => {
    const arrived = server.nextExchange();
    const opened = openHttp(server.url, { method: 'POST', body: '{}' });
    opened.catch(() => undefined);
    const { raw, response } = await arrived;
    const ended = new Promise((resolve) => raw.once('end', resolve));
    raw.resume();
    await within(ended, 'the end of the body');
    await expect(within(readBody(raw, 1000), 'the end of the body')).rejects.toThrow(/read/);
    response.end();
    await readResponse(await opened);
  });
});
