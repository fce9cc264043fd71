import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from '@jest/globals';
import { json, Party, status, type Reply } from '../../support/authorization/party.js';
import { PATIENCE_MS, until, within } from '../../support/until.js';
import { bootCustomer, WIRES, type Customer } from './shop.app.js';

/** What a server has to say, whatever its revision. */
const RESULTS: { readonly [method: string]: object } = {
  'tools/call': { content: [{ type: 'text', text: 'done' }] },
  'resources/read': { contents: [{ uri: 'shop://stock', text: 'ten apples' }] },
};

/** An event of a stream, after which there are more. */
const LEFT_AT = '7';

/** Answers as a server does that is well. */
const answer: Reply = (response, seen) => {
  if (seen.headers['last-event-id'] === LEFT_AT) return giveRest(response, seen);
  if (seen.method !== 'POST') return status(405)(response, seen);
  const { method, id, params } = JSON.parse(seen.body) as {
    method: string;
    id?: number;
    params: { protocolVersion?: string };
  };
  if (id === undefined) return status(202)(response, seen);
  const server = {
    capabilities: { tools: {}, resources: {} },
    serverInfo: { name: 'shop', version: '1.0.0' },
  };
  const shaken = { ...server, protocolVersion: params.protocolVersion, supportedVersions: ['2026-07-28'] };
  const result = { resultType: 'complete', ttlMs: 0, cacheScope: 'private', ...(RESULTS[method] ?? shaken) };
  if (method === 'initialize') response.setHeader('mcp-session-id', 'session-of-the-shop');
  json({ jsonrpc: '2.0', id, result })(response, seen);
};

const cutJson: Reply = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': 500 });
  response.write('{"jsonrpc":"2.0",', () => response.destroy());
};

function beginStream(response: ServerResponse): ServerResponse {
  return response.writeHead(200, { 'content-type': 'text/event-stream' });
}

const endStream: Reply = (response) => beginStream(response).end(': nothing else\n\n');

const cutStream: Reply = (response) => {
  beginStream(response).write(': nothing yet\n\n', () => setTimeout(() => response.destroy(), 20));
};

/** Ends a stream that can be taken up again where it was left. */
const pauseStream: Reply = (response) => beginStream(response).end(`id: ${LEFT_AT}\nretry: 10\ndata: \n\n`);

/** Answers a call by a stream. */
function answerCall(response: ServerResponse, id: number | string): void {
  const result = { resultType: 'complete', ...RESULTS['tools/call'] };
  beginStream(response).end(`data: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`);
}

function readId(body: string): number {
  return (JSON.parse(body) as { id: number }).id;
}

/** Goes on with the stream of the call that there was. */
const giveRest: Reply = (response) => {
  const { body = '' } = party.requests.find((one) => one.body.includes('"tools/call"')) ?? {};
  answerCall(response, readId(body));
};

/** Answers with the id of the request as a text. */
const answerByText: Reply = (response, { body }) => answerCall(response, String(readId(body)));

/** Wants to be asked again after so many seconds. */
function busyFor(seconds: number, code: number): Reply {
  return (response) => response.writeHead(code, { 'retry-after': String(seconds) }).end();
}

const TIMEOUT_MS = 4_000;

let party: Party;
let customer: Customer;

/** Starts a server that answers some requests in another way, once each. */
async function boot(method: string, ...replies: Reply[]): Promise<void> {
  party = await Party.start();
  party.at('/mcp', (response, seen) => {
    const isMeant = seen.body.includes(`"method":"${method}"`);
    const reply = (isMeant ? replies.shift() : undefined) ?? answer;
    reply(response, seen);
  });
}

async function connect(
  negotiation: (typeof WIRES)[number] | 'auto',
  maxDelayMs = 20,
  timeoutMs = TIMEOUT_MS,
): Promise<void> {
  const reconnect = { initialDelayMs: 10, maxDelayMs };
  customer = await bootCustomer({
    url: `${party.origin}/mcp`,
    negotiation,
    reconnect,
    timeoutMs,
  });
}

afterEach(async () => {
  await customer.app.close();
  await party.stop();
});

const WAYS = [
  { fault: 'is cut in its JSON', reply: cutJson },
  { fault: 'is a stream that ends before it', reply: endStream },
  { fault: 'is a stream that is cut before it', reply: cutStream },
].flatMap((way) => WIRES.map((negotiation) => ({ ...way, negotiation })));

describe.each(WAYS)('An answer that $fault ($negotiation)', ({ negotiation, reply }) => {
  it('is fetched anew where the request only reads (CLI-18)', async () => {
    await boot('resources/read', reply);
    await connect(negotiation);
    const { contents } = await customer.client.readResource('shop://stock');
    expect(contents).toMatchObject([{ text: 'ten apples' }]);
  });

  it('is told apart where the request may have done something (CLI-18)', async () => {
    await boot('tools/call', reply);
    await connect(negotiation);
    await expect(customer.client.callTool('sell')).rejects.toMatchObject({ code: 'connection_lost' });
    await expect(customer.client.callTool('sell')).resolves.toMatchObject({ content: [{ text: 'done' }] });
  });
});

describe.each(WIRES)('An answer that breaks off twice (%j)', (wire) => {
  it('is told apart even where the request only reads (CLI-18)', async () => {
    await boot('resources/read', endStream, endStream);
    await connect(wire);
    const reading = customer.client.readResource('shop://stock');
    await expect(reading).rejects.toMatchObject({ code: 'connection_lost' });
  });
});

describe('The first answer of all', () => {
  it('is asked for again where its stream ends before it (CLI-18)', async () => {
    await boot('initialize', endStream);
    // An answer that is waited for until the request times out would come too late for the test.
    await connect('legacy', 20, 10 * PATIENCE_MS);
    const sold = within(customer.client.callTool('sell'), 'the answer to the second handshake');
    await expect(sold).resolves.toMatchObject({ content: [{ text: 'done' }] });
  });
});

describe('A stream that ends before its answer, by handshake', () => {
  it('leaves the session alone (CLI-18)', async () => {
    await boot('tools/call', endStream);
    await connect('legacy');
    await expect(customer.client.callTool('sell')).rejects.toMatchObject({ code: 'connection_lost' });
    await customer.client.callTool('sell');
    expect(party.requests.filter(({ body }) => body.includes('"initialize"'))).toHaveLength(1);
  });

  it('is taken up again where the server says where it was left (CLI-18)', async () => {
    await boot('tools/call', pauseStream);
    await connect('legacy');
    await expect(customer.client.callTool('sell')).resolves.toMatchObject({ content: [{ text: 'done' }] });
    expect(party.requests.filter(({ body }) => body.includes('"initialize"'))).toHaveLength(1);
  });

  it.each(WIRES)('leaves the connection alone where nobody waits for that (%j) (CLI-18)', async (wire) => {
    let stream: ServerResponse | undefined;
    await boot('tools/call', (response) => {
      stream = beginStream(response);
      stream.write(': nothing yet\n\n');
    });
    await connect(wire);
    const stop = new AbortController();
    const call = customer.client.callTool('sell', {}, { signal: stop.signal });
    await until(() => stream, 'the call');
    stop.abort();
    await expect(call).rejects.toThrow(/abort/i);
    stream?.end();
    const states: string[] = [];
    customer.client.state$.subscribe((state) => states.push(state));
    await customer.client.callTool('sell');
    await customer.client.readResource('shop://stock');
    expect(states).toEqual(['connected']);
  });
});

describe.each(WIRES)('An answer with its id as a text (%j)', (wire) => {
  it('is an answer, as it is to the official client (CLI-18)', async () => {
    await boot('tools/call', answerByText);
    await connect(wire);
    await customer.client.callTool('sell');
    const states: string[] = [];
    customer.client.state$.subscribe((state) => states.push(state));
    await customer.client.callTool('sell');
    expect(states).toEqual(['connected']);
  });
});

describe.each([
  { negotiation: WIRES[0], method: 'initialize', revision: '2025-11-25' },
  { negotiation: WIRES[1], method: 'server/discover', revision: '2026-07-28' },
  { negotiation: 'auto' as const, method: 'server/discover', revision: '2026-07-28' },
])('A server that is busy at first ($negotiation, $method)', ({ negotiation, method, revision }) => {
  it.each([429, 503])('with %i is tried again (CLI-18)', async (code) => {
    await boot(method, status(code), status(code));
    await connect(negotiation);
    await expect(customer.client.callTool('sell')).resolves.toMatchObject({ content: [{ text: 'done' }] });
    expect((await customer.client.official()).getNegotiatedProtocolVersion()).toBe(revision);
  });

  it('is left alone for as long as it asks, within the longest wait (CLI-18)', async () => {
    await boot(method, busyFor(1, 429), busyFor(3_600, 503));
    const begunAt = performance.now();
    await connect(negotiation, 1_500);
    await customer.client.callTool('sell');
    expect(performance.now() - begunAt).toBeGreaterThan(2_400);
  });
});
