import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Tool, type McpContext } from 'nestjs-mcp';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { Gates } from '../../support/applications/gate.js';
import { initialize, PER_REQUEST_VERSION, type SessionClient } from '../../support/clients/json-rpc.js';
import { metaKey, type Message } from '../../support/clients/message.js';
import { sendHttp } from '../../support/clients/raw-http.js';

const GATE = { type: 'object', properties: { gate: { type: 'string' } }, required: ['gate'] } as const;
const CLAIM = { _meta: { [metaKey('protocolVersion')]: PER_REQUEST_VERSION } };

@Injectable()
class VersionedTools {
  readonly gates = new Gates();
  calls = 0;

  @Tool({ description: 'Waits, unless it is cancelled', inputSchema: GATE })
  async wait({ gate }: { gate: string }, { signal }: McpContext): Promise<string> {
    await this.gates.at(gate).pass(signal);
    return 'done';
  }

  @Tool({ description: 'Counts its calls' })
  count(): string {
    this.calls += 1;
    return String(this.calls);
  }

  @Tool({ description: 'Asks for the name of its caller' })
  async ask(_: object, context: McpContext): Promise<string> {
    const schema = { type: 'object', properties: { name: { type: 'string' } } } as const;
    return (await context.elicit({ message: 'Name?', schema })).action;
  }
}

let counter = 0;

describe.each(ADAPTERS)('The version header within a session on %s', (adapter) => {
  let desk: RunningApp;
  let tools: VersionedTools;
  let session: SessionClient;
  let gate: string;

  beforeAll(async () => {
    desk = await bootServer({ adapter, providers: [VersionedTools] });
    tools = desk.app.get(VersionedTools);
  });

  beforeEach(async () => {
    session = await initialize(desk.url, { capabilities: { elicitation: {} } });
    gate = `${adapter} ${(counter += 1)}`;
  });

  afterAll(() => desk.close());

  const named = (version: string) => ({ 'mcp-protocol-version': version });

  /** Starts a call and sends its cancellation so; gives the status of that, and what becomes of the call. */
  async function cancelBy(params: object, headers: Record<string, string>): Promise<[number, unknown]> {
    const call = session.start('tools/call', { name: 'wait', arguments: { gate } });
    await tools.gates.at(gate).reached();
    const cancellation = { jsonrpc: '2.0', method: 'notifications/cancelled' };
    const sent = await session.post({ ...cancellation, params: { requestId: call.id, ...params } }, headers);
    tools.gates.at(gate).open();
    return [sent.status, (await call.answer()).result?.['content']];
  }

  const DONE = [{ type: 'text', text: 'done' }];

  it('is looked at for a notification: what is not served gets 400, and does nothing (VER-01)', async () => {
    expect(await cancelBy({}, named('1999-01-01'))).toEqual([400, DONE]);
  });

  it('makes a notification one of the stateless wire: it gets 202, and does nothing (VER-01)', async () => {
    expect(await cancelBy({}, named(PER_REQUEST_VERSION))).toEqual([202, DONE]);
  });

  it('counts less than a claim, which makes a notification one of the stateless wire too (VER-01)', async () => {
    expect(await cancelBy(CLAIM, {})).toEqual([202, DONE]);
  });

  it('lets a notification do its work that names the version of the session, or another of its kind (VER-01)', async () => {
    expect(await cancelBy({}, named('2025-06-18'))).toEqual([202, undefined]);
  });

  it.each([
    ['1999-01-01', 400],
    [PER_REQUEST_VERSION, 400],
  ])(
    'is looked at for a response: %s gets %i, and the question stays open (VER-01)',
    async (version, status) => {
      const stream = await session.start('tools/call', { name: 'ask' }).stream();
      const { id } = await stream.nextMessage(({ method }) => method === 'elicitation/create');
      const respond = (action: string, headers = {}) =>
        session.post({ jsonrpc: '2.0', id, result: { action } }, headers);
      expect((await respond('cancel', named(version))).status).toBe(status);
      expect((await respond('decline')).status).toBe(202);
      const { result } = await stream.nextMessage((message: Message) => 'result' in message);
      expect(result?.['content']).toEqual([{ type: 'text', text: 'decline' }]);
    },
  );

  it('is looked at for a batch: what is not served gets 400, and nothing of it runs (VER-01, CORE-09)', async () => {
    session = await initialize(desk.url, { version: '2025-03-26' });
    const batch = [{ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'count' } }];
    const { calls } = tools;
    for (const version of ['1999-01-01', PER_REQUEST_VERSION]) {
      expect((await session.post(batch, named(version))).status).toBe(400);
    }
    expect(tools.calls).toBe(calls);
    expect((await session.post(batch)).status).toBe(200);
    expect(tools.calls).toBe(calls + 1);
  });

  it.each([
    ['1999-01-01', 400],
    [PER_REQUEST_VERSION, 405],
  ])('is looked at for a GET: %s gets %i, and takes no place (VER-01)', async (version, status) => {
    const headers = { accept: 'text/event-stream', ...session.headers, ...named(version) };
    expect((await sendHttp(desk.url, { headers })).status).toBe(status);
    await (await session.openStream()).close();
  });

  it.each([
    ['1999-01-01', 400],
    [PER_REQUEST_VERSION, 405],
  ])('is looked at for a DELETE: %s gets %i, and the session goes on (VER-01)', async (version, status) => {
    expect((await session.delete(named(version))).status).toBe(status);
    expect((await session.request('ping')).result).toEqual({});
    expect((await session.delete()).status).toBe(204);
    expect((await session.request('ping')).status).toBe(404);
  });
});
