import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ADAPTERS } from '../../support/applications/boot.js';
import { Call } from '../../support/clients/call.js';
import { initialize, perRequest } from '../../support/clients/json-rpc.js';
import { metaKey, type JsonObject } from '../../support/clients/message.js';
import { until, within } from '../../support/until.js';
import { bootStateless, type StatelessDesk } from './stateless-desk.js';

const ACCEPT = { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-11-25' };
const WITH_PROGRESS = { _meta: { progressToken: 'p' } };

const textOf = (result: JsonObject | undefined) =>
  (result?.['content'] as { text: string }[] | undefined)?.[0]?.text;

describe.each(ADAPTERS)('a call without a session on %s', (adapter) => {
  let desk: StatelessDesk;

  beforeAll(async () => {
    desk = await bootStateless(adapter, { secret: 'one secret for all of these processes' });
  });

  afterAll(() => desk.close());

  function start(id: string | number, gate: string): Call {
    const params = { name: 'wait', arguments: { gate }, ...WITH_PROGRESS };
    return new Call(
      desk.url,
      { json: { jsonrpc: '2.0', id, method: 'tools/call', params }, headers: ACCEPT },
      id,
    );
  }

  it('has its progress on its own stream, without ids to come back to (STLS-01) (NOTE-01)', async () => {
    const session = await initialize(desk.url);
    const stream = await session.start('tools/call', { name: 'report', ...WITH_PROGRESS }).stream();
    await within(stream.ended, 'the end of the stream');
    expect(stream.messages.map(({ method, params }) => [method, params?.['progress']])).toEqual([
      ['notifications/progress', 1],
      ['notifications/progress', 2],
      [undefined, undefined],
    ]);
    expect(stream.lastEventId).toBeUndefined();
  });

  it('sends a client that accepts no stream its answer alone (STLS-01)', async () => {
    const session = await initialize(desk.url);
    const answer = await session.request(
      'tools/call',
      { name: 'report', ...WITH_PROGRESS },
      { accept: 'application/json' },
    );
    expect([textOf(answer.result), answer.notifications]).toEqual(['reported', []]);
  });

  it('knows of its client what the request itself declares, and no more (STLS-02) (CAP-01)', async () => {
    const session = await initialize(desk.url, { capabilities: { roots: {}, sampling: {} } });
    const declared = { elicitation: {}, extensions: { 'com.example/maps': {} } };
    const ask = async (meta?: JsonObject) => {
      const { result } = await session.request('tools/call', {
        name: 'caller',
        ...(meta && { _meta: meta }),
      });
      return (result?.['structuredContent'] as JsonObject | undefined)?.['capabilities'];
    };
    expect(await ask({ [metaKey('clientCapabilities')]: declared })).toEqual(declared);
    expect(await ask()).toEqual({});
    expect(await ask({ [metaKey('clientCapabilities')]: 'none' })).toEqual({});
  });

  it.each(['2024-11-05', '2025-11-25'])(
    'that asks its client of %s fails and says why (STLS-01)',
    async (version) => {
      const session = await initialize(desk.url, { version, capabilities: { elicitation: {} } });
      const { result } = await session.request('tools/call', { name: 'ask', arguments: { text: 'Word?' } });
      expect([result?.['isError'], textOf(result)]).toEqual([
        true,
        'This server has no sessions, so the client cannot receive requests: use a client of revision 2026-07-28',
      ]);
    },
  );

  it('asks a client of 2026-07-28 in rounds (STLS-01) (REV-02)', async () => {
    const client = perRequest(desk.url, { capabilities: { elicitation: { form: {} } } });
    const params = { name: 'ask', arguments: { text: 'Word?' } };
    const { result } = await client.request('tools/call', params);
    expect(result?.['resultType']).toBe('input_required');
    const [key = ''] = Object.keys(result?.['inputRequests'] as object);
    const second = await client.request('tools/call', {
      ...params,
      requestState: result?.['requestState'],
      inputResponses: { [key]: { action: 'accept', content: { text: 'yes' } } },
    });
    expect(textOf(second.result)).toBe('yes');
  });

  it('runs beside another of the same id, and each gets its own answer (STLS-01)', async () => {
    const calls = [start('same', 'first'), start('same', 'second')];
    await Promise.all(['first', 'second'].map((gate) => desk.tools.gates.at(gate).reached()));
    desk.tools.gates.at('second').open();
    expect(textOf((await calls[1]?.answer())?.result)).toBe('second');
    desk.tools.gates.at('first').open();
    expect(textOf((await calls[0]?.answer())?.result)).toBe('first');
  });

  it('is cancelled by a client that goes away, and by no other (STLS-01) (CANC-01)', async () => {
    const [gone, other] = [start(1, 'gone'), start(1, 'other')];
    await Promise.all(['gone', 'other'].map((gate) => desk.tools.gates.at(gate).reached()));
    gone.disconnect();
    await until(() => desk.tools.aborted.includes('gone'), 'the cancellation');
    const session = await initialize(desk.url);
    await session.notify('notifications/cancelled', { requestId: 1 });
    expect(desk.tools.aborted).not.toContain('other');
    desk.tools.gates.at('other').open();
    expect(textOf((await other.answer()).result)).toBe('other');
  });

  it('is aborted and answered when the application closes (STLS-01) (MOD-12)', async () => {
    const closing = await bootStateless(adapter);
    const session = await initialize(closing.url);
    const call = session.start('tools/call', { name: 'wait', arguments: { gate: 'end' } });
    await closing.tools.gates.at('end').reached();
    await within(closing.close(), 'the application to close');
    expect((await call.answer()).error?.code).toBe(-32603);
    expect(closing.tools.aborted).toEqual(['end']);
  });
});
