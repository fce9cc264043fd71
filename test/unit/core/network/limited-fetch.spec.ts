import { createServer, type RequestListener, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  createLimitedFetch,
  limitResponse,
  ResponseTooLargeError,
} from '../../../../lib/core/network/limited-fetch.js';
import { until } from '../../../support/until.js';

const LIMIT = { maxBytes: 1_000, fix: 'set "bytes" to accept more' };
const ERROR_BYTES = 65_536;
const STREAM = { 'content-type': 'text/event-stream' };
const REQUEST = { method: 'POST', body: JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/call' }) };
const NOTIFICATION = { method: 'POST', body: JSON.stringify({ jsonrpc: '2.0', method: 'notifications/x' }) };

let server: Server | undefined;

async function serve(listener: RequestListener): Promise<string> {
  server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

const limited = createLimitedFetch(fetch, LIMIT);

/** Answers by a body without a network. */
function answer(
  body: ConstructorParameters<typeof Response>[0],
  init: ResponseInit = {},
  request: RequestInit = {},
): Promise<Response> {
  const send = createLimitedFetch(() => Promise.resolve(new Response(body, init)), LIMIT);
  return send('https://user:secret@shop.example.com/mcp?key=secret', request);
}

/** A body that has no end, and knows how much of it was read. */
function createEndless(chunk: string) {
  const seen = { bytes: 0, isCancelled: false };
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      seen.bytes += chunk.length;
      controller.enqueue(Buffer.from(chunk));
    },
    cancel: () => void (seen.isCancelled = true),
  });
  return { seen, body };
}

const TOO_LARGE = { code: 'response_too_large', message: expect.stringContaining('more than 1000 bytes') };

describe('A response that is read as a whole', () => {
  it('passes with as many bytes as are accepted, its URL, status and headers included (PEER-07)', async () => {
    const url = await serve((_, response) =>
      response.writeHead(201, { 'x-own': 'a' }).end('x'.repeat(1_000)),
    );
    const response = await limited(url);
    expect([response.url, response.status, response.headers.get('x-own')]).toEqual([url, 201, 'a']);
    expect(await response.text()).toHaveLength(1_000);
  });

  it('fails with one byte more, and names the limit and how to raise it, but no secret (PEER-07)', async () => {
    const failing = (await answer('x'.repeat(1_001))).text();
    await expect(failing).rejects.toThrow(
      '"https://shop.example.com/mcp" sent more than 1000 bytes in one response: set "bytes" to accept more',
    );
    await expect(failing).rejects.toBeInstanceOf(ResponseTooLargeError);
  });

  it('is not read any further, and is cancelled (PEER-07)', async () => {
    const { seen, body } = createEndless('x'.repeat(400));
    await expect((await answer(body)).text()).rejects.toMatchObject(TOO_LARGE);
    expect(seen).toEqual({ bytes: expect.any(Number), isCancelled: true });
    expect(seen.bytes).toBeLessThan(2_500);
  });

  it('is not inflated before somebody reads it (PEER-07)', async () => {
    const { seen, body } = createEndless('x'.repeat(400));
    const response = await answer(body);
    await new Promise((resolve) => setImmediate(resolve));
    expect(seen.bytes).toBeLessThan(2_000);
    await response.body?.cancel();
    await until(() => seen.isCancelled, 'the end of the body');
  });

  it('is counted after it is decoded (PEER-07)', async () => {
    const bomb = gzipSync('x'.repeat(1_001));
    expect(bomb.length).toBeLessThan(100);
    const url = await serve((_, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
    );
    await expect((await limited(url)).text()).rejects.toMatchObject(TOO_LARGE);
  });

  it('stays without a body where it has none (PEER-07)', async () => {
    expect(await answer(null, { status: 204 })).toMatchObject({ status: 204, body: null });
  });

  it('is one even as an event stream, for who reads it so (PEER-07)', async () => {
    const stream = new Response(': a\n\n'.repeat(1_000), { headers: STREAM });
    await expect(limitResponse(stream, LIMIT).text()).rejects.toMatchObject(TOO_LARGE);
  });
});

describe('The body of a refusal', () => {
  it.each([400, 401, 404, 500])('is cut, and the status stays: %i (PEER-07)', async (status) => {
    const { seen, body } = createEndless('x'.repeat(40_000));
    const response = await answer(body, { status, headers: STREAM });
    expect(response.status).toBe(status);
    expect(await response.text()).toBe('x'.repeat(ERROR_BYTES));
    expect(seen.isCancelled).toBe(true);
  });
});

describe('An event stream', () => {
  it.each(['\n', '\r', '\r\n'])('may go on for ever, if its events end: %j (PEER-07)', async (end) => {
    const event = `data: ${'x'.repeat(900)}${end}${end}`;
    const text = event.repeat(50);
    const response = await answer(text, { headers: STREAM }, REQUEST);
    expect(await response.text()).toBe(text);
    const standing = await answer(text, { headers: STREAM });
    expect(await standing.text()).toBe(text);
  });

  it.each([
    ['a line that does not end', 'x'],
    ['lines that no blank one follows', 'data: x\n'],
    ['lines with the other line end', 'data: x\r'],
    ['comments', ': x\r\n'],
  ])('ends with an error for its request after %s (PEER-07)', async (_, text) => {
    const { seen, body } = createEndless(text.repeat(300));
    const response = await answer(body, { headers: STREAM }, REQUEST);
    const events = (await response.text()).split('\n\n');
    expect(events.at(-3)).toMatch(/\nevent: response_too_large$/);
    expect(JSON.parse(String(events.at(-2)).slice('data: '.length))).toMatchObject({
      id: 7,
      error: { code: -32_000, message: expect.stringContaining('more than 1000 bytes in one event') },
    });
    expect(seen.isCancelled).toBe(true);
  });

  it('breaks where there is no request that could be answered (PEER-07)', async () => {
    const response = await answer(createEndless('x'.repeat(400)).body, { headers: STREAM });
    await expect(response.text()).rejects.toMatchObject(TOO_LARGE);
  });

  it.each([
    ['a notification', NOTIFICATION],
    ['the end of a session', { method: 'DELETE' }],
    ['what is no JSON', { method: 'POST', body: 'x' }],
  ])('is limited as a whole where it answers %s (PEER-07)', async (_, request) => {
    const { seen, body } = createEndless(': a\n\n'.repeat(50));
    const response = await answer(body, { headers: STREAM }, request);
    await expect(response.text()).rejects.toMatchObject(TOO_LARGE);
    expect(seen.isCancelled).toBe(true);
  });
});

describe('ResponseTooLargeError.find', () => {
  const error = new ResponseTooLargeError({ url: 'https://a.example/mcp', unit: 'event', maxBytes: 9 });

  it.each([
    ['as it is', error],
    ['behind other errors', new Error('a', { cause: new Error('b', { cause: error }) })],
    ['as the answer to a request', Object.assign(new Error('a'), error.toJsonRpc())],
  ])('finds the error %s (PEER-07)', (_, thrown) => {
    expect(ResponseTooLargeError.find(thrown)).toMatchObject({
      message: error.message,
      response: { unit: 'event' },
    });
  });

  it.each([undefined, 'text', new Error('a'), { data: { code: 'response_too_large' } }, { data: null }])(
    'finds none in %p (PEER-07)',
    (thrown) => expect(ResponseTooLargeError.find(thrown)).toBeUndefined(),
  );
});
