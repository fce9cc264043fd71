import { Injectable } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Gate } from '../../../../support/applications/gate.js';
import { Tool } from '../../../../../lib/server/decorators/handler.decorators.js';
import type { McpContext } from '../../../../../lib/server/context/mcp-context.interface.js';
import { CapturedLog } from '../../../support/captured-log.js';
import { ANYBODY, PER_REQUEST_META, DuplexClient } from '../../../support/duplex-client.js';

let gate: Gate;

@Injectable()
class GuestTools {
  @Tool()
  greet(_arguments: object, context: McpContext): string {
    context.progress(1, 2, 'half');
    context.log('info', 'greeting');
    return `hello, ${context.session === undefined ? 'passer-by' : 'guest'}`;
  }

  @Tool()
  async wait(_arguments: object, { signal }: McpContext): Promise<string> {
    await gate.pass(signal);
    return 'waited';
  }
}

const VERSIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];
const INVALID = { code: -32600, message: expect.any(String) };

describe('DuplexConnection (MCP basic/transports, "stdio")', () => {
  let desk: DuplexClient;

  beforeEach(async () => {
    gate = new Gate();
    desk = await DuplexClient.open(GuestTools, { limits: { requestsInFlight: 3 } });
  });

  afterEach(() => desk.close());

  it.each(VERSIONS)('shakes hands for %s, and serves the session (STDIO-01)', async (version) => {
    expect(await desk.initialize({ version })).toMatchObject({ result: { protocolVersion: version } });
    expect(await desk.request(1, 'tools/call', { name: 'greet' })).toMatchObject({
      result: { content: [{ text: 'hello, guest' }] },
    });
    expect(await desk.request(2, 'ping')).toMatchObject({ result: {} });
  });

  it('ends with a line in the log when it cannot be written to, and fails nobody else (STDIO-01)', async () => {
    const log = CapturedLog.begin();
    const rejections: unknown[] = [];
    const collect = (reason: unknown) => void rejections.push(reason);
    process.on('unhandledRejection', collect);
    const connection = desk.connect(() => {
      throw new Error('a broken pipe');
    });
    connection.receiveText('{"jsonrpc":"2.0","id":1,"method":"ping"}', ANYBODY);
    connection.receiveText('no JSON', ANYBODY);
    await connection.drain();
    expect(await desk.request(2, 'ping')).toMatchObject({ result: {} });
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', collect);
    expect([rejections, connection.size]).toEqual([[], 0]);
    log.release();
    expect(log.errors).toEqual([expect.stringContaining('a broken pipe')]);
  });

  it('serves the stateless wire without a handshake, and beside one (STDIO-01)', async () => {
    const expected = { result: { resultType: 'complete', content: [{ text: 'hello, passer-by' }] } };
    expect(await desk.request(1, 'server/discover', { _meta: PER_REQUEST_META })).toMatchObject({
      result: { supportedVersions: ['2026-07-28'] },
    });
    expect(await desk.callAlone(2, 'greet')).toMatchObject(expected);
    await desk.initialize();
    expect(await desk.callAlone(3, 'greet')).toMatchObject(expected);
    expect(await desk.request(4, 'tools/call', { name: 'greet' })).toMatchObject({
      result: { content: [{ text: 'hello, guest' }] },
    });
  });

  it('answers a probe for the stateless wire without a claim so that its sender shakes hands (STDIO-01)', async () => {
    expect(await desk.request(1, 'server/discover')).toMatchObject({ error: { code: -32601 } });
    expect(await desk.initialize()).toHaveProperty('result');
  });

  it('takes what a client sends on without waiting for the handshake (SESS-01)', async () => {
    const handshake = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'a', version: '1' },
    };
    desk.send(
      { id: 1, method: 'initialize', params: handshake },
      { method: 'notifications/initialized' },
      { id: 2, method: 'tools/list' },
      { id: 3, method: 'tools/call', params: { name: 'greet' } },
    );
    for (const id of [1, 2, 3]) expect(await desk.answer(id)).toHaveProperty('result');
    expect([...desk.sessions.all()]).toMatchObject([{ isLive: true }]);
  });

  it('refuses requests before the handshake, but for "ping" (SESS-01)', async () => {
    expect(await desk.request(1, 'tools/list')).toMatchObject({ error: INVALID });
    expect(await desk.request(2, 'ping')).toMatchObject({ result: {} });
    desk.send({ method: 'notifications/initialized' }, { id: 9, result: {} });
    expect(await desk.request(3, 'tools/list')).toMatchObject({ error: { code: -32600 } });
  });

  it('refuses a second handshake, and keeps the first (SESS-02)', async () => {
    await desk.initialize({ version: '2025-06-18' });
    const { session } = desk.connection;
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'b', version: '1' },
    };
    expect(await desk.request(2, 'initialize', params)).toMatchObject({ error: INVALID });
    expect(desk.connection.session).toBe(session);
    expect([...desk.sessions.all()]).toHaveLength(1);
  });

  it('lets a handshake that failed be tried again (SESS-01)', async () => {
    expect(await desk.request(1, 'initialize', {})).toMatchObject({ error: { code: -32602 } });
    expect(await desk.initialize()).toHaveProperty('result');
  });

  const BATCH = [
    { jsonrpc: '2.0', id: 1, method: 'ping' },
    { jsonrpc: '2.0', method: 'notifications/roots/list_changed' },
    { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'greet' } },
  ];

  it('answers a batch of 2025-03-26 by one (STDIO-01)', async () => {
    await desk.initialize({ version: '2025-03-26' });
    desk.send(BATCH);
    const answers = await desk.receives((message) => Array.isArray(message), 'the answers');
    expect(answers).toMatchObject([{ id: 1 }, { id: 2 }]);
  });

  it.each(['2024-11-05', '2025-06-18', '2025-11-25'])('refuses batches of %s (STDIO-01)', async (version) => {
    await desk.initialize({ version });
    desk.send(BATCH);
    const refusal = await desk.receives((message) => 'error' in message, 'the refusal');
    expect(refusal).toEqual({ jsonrpc: '2.0', error: INVALID });
  });

  it.each([
    ['before the handshake', undefined, [{ jsonrpc: '2.0', id: 1, method: 'ping' }]],
    ['that is empty', '2025-03-26', []],
    ['with "initialize"', '2025-03-26', [{ jsonrpc: '2.0', id: 1, method: 'initialize' }]],
    [
      'with a claim',
      '2025-03-26',
      [{ jsonrpc: '2.0', id: 1, method: 'x', params: { _meta: PER_REQUEST_META } }],
    ],
    ['with what is no message', '2025-03-26', [{ jsonrpc: '2.0', id: 1, method: 'ping' }, 1]],
  ])('refuses a batch %s as one (STDIO-01)', async (_, version, batch) => {
    if (version !== undefined) await desk.initialize({ version });
    desk.send(batch);
    const refusal = await desk.receives((message) => 'error' in message, 'the refusal');
    expect(refusal).toEqual({ jsonrpc: '2.0', error: INVALID });
  });

  it.each([1, null, 'x', {}, { jsonrpc: '1.0', id: 1, method: 'ping' }, { jsonrpc: '2.0', id: 1 }])(
    'answers %j, which is no message, and goes on (STDIO-02)',
    async (value) => {
      desk.connection.receiveText(JSON.stringify(value), ANYBODY);
      const refusal = await desk.receives((message) => 'error' in message, 'the refusal');
      expect(refusal).toMatchObject({ error: INVALID });
      expect(await desk.request(2, 'ping')).toMatchObject({ result: {} });
    },
  );

  it('logs why it failed, and tells the client no more than that (STDIO-02)', async () => {
    const log = CapturedLog.begin();
    const onRequest = (): never => {
      throw new TypeError('secret 4711 is undefined');
    };
    desk.connection.receiveText('{"jsonrpc":"2.0","id":1,"method":"ping"}', { onRequest });
    expect(await desk.answer(1)).toEqual({
      jsonrpc: '2.0',
      id: 1,
      error: { code: -32603, message: expect.stringMatching(/^Internal error \(incident [\da-f]{12}\)$/) },
    });
    await desk.connection.drain();
    expect(log.errors).toEqual([
      expect.stringMatching(
        /^Incident [\da-f]{12}: secret 4711 is undefined \[.* method="ping" target=-\]\nTypeError: secret 4711 is undefined\n +at /,
      ),
    ]);
    log.release();
  });

  it('refuses an id that is in use, on its own wire (STDIO-01)', async () => {
    desk.send({ id: 1, method: 'tools/call', params: { name: 'wait', _meta: PER_REQUEST_META } });
    await gate.reached();
    expect(await desk.callAlone(1, 'greet')).toMatchObject({ error: INVALID });
    gate.open();
    await desk.receives((message) => 'result' in message, 'the answer of the first');
  });

  it('refuses what is too much at once, and takes more when there is room (STDIO-01)', async () => {
    await desk.initialize();
    for (const id of [1, 2, 3, 4]) desk.send({ id, method: 'tools/call', params: { name: 'wait' } });
    expect(await desk.answer(4)).toMatchObject({ error: { code: -32603 } });
    expect(desk.connection.size).toBe(3);
    gate.open();
    for (const id of [1, 2, 3]) expect(await desk.answer(id)).toHaveProperty('result');
    expect(await desk.request(5, 'ping')).toHaveProperty('result');
    expect(desk.connection.size).toBe(0);
  });

  it('ends the session and cancels what runs when it is closed (STDIO-02)', async () => {
    await desk.initialize();
    desk.send({ id: 1, method: 'tools/call', params: { name: 'wait' } });
    desk.send({ id: 2, method: 'tools/call', params: { name: 'wait', _meta: PER_REQUEST_META } });
    await gate.reached();
    desk.connection.close('The client is gone');
    await desk.connection.drain();
    expect(desk.connection.size).toBe(0);
    expect([...desk.sessions.all()]).toEqual([]);
    expect(desk.messages.filter(({ id }) => id === 1 || id === 2)).toEqual([]);
  });
});
