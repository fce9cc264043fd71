import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ADAPTERS } from '../../support/applications/boot.js';
import { SseClient } from '../../support/clients/sse-client.js';
import { until, within } from '../../support/until.js';
import { bootSse, type SseDesk } from './sse-desk.js';

describe.each(ADAPTERS)('a stream of HTTP+SSE on %s', (adapter) => {
  let desk: SseDesk;

  beforeAll(async () => {
    desk = await bootSse(adapter);
  });

  afterAll(() => desk.close());

  it('carries progress, log entries and the answer, in order (SSE-01) (NOTE-01)', async () => {
    const client = await SseClient.connect(desk.sse);
    const before = client.stream.messages.length;
    await client.request('tools/call', { name: 'report', _meta: { progressToken: 1 } });
    expect(client.stream.messages.slice(before).map(({ method }) => method)).toEqual([
      'notifications/progress',
      'notifications/message',
      undefined,
    ]);
    await client.close();
  });

  it('carries changes of lists, and of resources that the client subscribed to (SSE-01) (NOTE-03)', async () => {
    const [client, other] = [await SseClient.connect(desk.sse), await SseClient.connect(desk.sse)];
    expect((await client.request('resources/subscribe', { uri: 'desk://note' })).result).toEqual({});
    desk.notifier.resourceUpdated('desk://note');
    desk.notifier.toolsListChanged();
    const updated = await client.stream.nextNotification('notifications/resources/updated');
    expect(updated.params).toEqual({ uri: 'desk://note' });
    await client.stream.nextNotification('notifications/tools/list_changed');
    await other.stream.nextNotification('notifications/tools/list_changed');
    expect(other.stream.messages.filter(({ method }) => method?.endsWith('updated'))).toEqual([]);

    await client.request('resources/unsubscribe', { uri: 'desk://note' });
    desk.notifier.resourceUpdated('desk://note');
    await client.request('ping');
    expect(client.stream.messages.filter(({ method }) => method?.endsWith('updated'))).toHaveLength(1);
    await Promise.all([client.close(), other.close()]);
  });

  it('heeds the level that the client sets (SSE-01) (NOTE-05)', async () => {
    const client = await SseClient.connect(desk.sse);
    await client.request('logging/setLevel', { level: 'error' });
    desk.notifier.log('warning', 'unheard');
    desk.notifier.log('critical', 'heard');
    const { params } = await client.stream.nextNotification('notifications/message');
    expect(params).toMatchObject({ level: 'critical', data: 'heard' });
    await client.close();
  });

  it('carries nothing before the client has confirmed the handshake (SSE-01) (SESS-01)', async () => {
    const client = await SseClient.open(desk.sse);
    const params = {
      protocolVersion: '2024-11-05',
      capabilities: {},
      clientInfo: { name: 'e', version: '1' },
    };
    await client.request('initialize', params);
    desk.notifier.toolsListChanged();
    await client.notify('notifications/initialized');
    desk.notifier.toolsListChanged();
    desk.notifier.log('error', 'last');
    await client.stream.nextNotification('notifications/message');
    expect(client.stream.messages.flatMap(({ method }) => method ?? [])).toEqual([
      'notifications/tools/list_changed',
      'notifications/message',
    ]);
    await client.close();
  });

  it.each(['2025-06-18', '2025-11-25'])(
    'carries questions to a client of %s (SSE-01) (REV-02)',
    async (version) => {
      const client = await SseClient.connect(desk.sse, { version, capabilities: { elicitation: {} } });
      const id = await client.send('tools/call', { name: 'ask', arguments: { text: 'Word?' } });
      const question = await client.stream.nextMessage(({ method }) => method === 'elicitation/create');
      expect(question.params).toMatchObject({ message: 'Word?' });
      const result = { action: 'accept', content: { text: 'yes' } };
      expect((await client.post({ jsonrpc: '2.0', id: question.id, result })).status).toBe(202);
      expect((await client.response(id)).result).toMatchObject({ content: [{ text: 'yes' }] });
      await client.close();
    },
  );

  it('is where a cancelled call is not answered (SSE-01) (CANC-01)', async () => {
    const client = await SseClient.connect(desk.sse);
    const id = await client.send('tools/call', { name: 'wait', arguments: { gate: 'cancelled' } });
    await desk.tools.gates.at('cancelled').reached();
    await client.notify('notifications/cancelled', { requestId: id, reason: 'enough' });
    await until(() => desk.tools.aborted.includes('cancelled'), 'the cancellation');
    await client.request('ping');
    expect(client.stream.messages.filter((message) => message.id === id)).toEqual([]);
    await client.close();
  });

  it('ends its session and cancels its calls when the client goes away (SSE-01)', async () => {
    const client = await SseClient.connect(desk.sse);
    const sessions = desk.notifier.sessions.length;
    await client.send('tools/call', { name: 'wait', arguments: { gate: 'gone' } });
    await desk.tools.gates.at('gone').reached();
    await client.close();
    await until(() => desk.tools.aborted.includes('gone'), 'the cancellation');
    await until(() => desk.notifier.sessions.length < sessions, 'the end of the session');
    expect(desk.notifier.sessions).toHaveLength(sessions - 1);
  });

  it('is never that of another client, whatever the timing (SESS-04)', async () => {
    const clients = await Promise.all(Array.from({ length: 10 }, () => SseClient.connect(desk.sse)));
    const rounds = Array.from({ length: 30 }, (_, round) => round);
    await Promise.all(
      clients.map(async (client, own) => {
        // The same ids in every client.
        await Promise.all(
          rounds.map((round) =>
            client.post({
              jsonrpc: '2.0',
              id: `r${round}`,
              method: 'tools/call',
              params: { name: 'echo', arguments: { text: `${own}/${round}` } },
            }),
          ),
        );
        await until(() => answersOf(client).length === rounds.length, 'all answers');
      }),
    );
    clients.forEach((client, own) => {
      const texts = answersOf(client).map(({ id, result }) => [
        String(id),
        (result?.['content'] as { text: string }[] | undefined)?.[0]?.text,
      ]);
      expect(Object.fromEntries(texts)).toEqual(
        Object.fromEntries(rounds.map((round) => [`r${round}`, `${own}/${round}`])),
      );
      expect(texts).toHaveLength(rounds.length);
    });
    await Promise.all(clients.map((client) => client.close()));
  });
});

const answersOf = ({ stream }: SseClient) =>
  stream.messages.filter(({ id, result }) => String(id).startsWith('r') && result !== undefined);

describe.each(ADAPTERS)('app.close() with streams of HTTP+SSE on %s', (adapter) => {
  it.each([
    ['a session', false],
    ['2026-07-28', true],
  ])('answers the calls of %s and ends the stream (SSE-01) (MOD-12)', async (_what, isPerRequest) => {
    const desk = await bootSse(adapter, { nest: { forceCloseConnections: false } });
    const client = await SseClient.connect(desk.sse);
    const meta = isPerRequest && {
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    };
    const ids = await Promise.all(
      ['wait', 'ignore'].map((name) =>
        client.send('tools/call', { name, arguments: { gate: name }, ...meta }),
      ),
    );
    await Promise.all(['wait', 'ignore'].map((gate) => desk.tools.gates.at(gate).reached()));
    const closed = desk.close();
    await within(client.stream.ended, 'the end of the stream');
    await within(closed, 'the application to close');
    for (const id of ids) {
      const answer = client.stream.messages.find((message) => message.id === id);
      expect(answer?.error?.code).toBe(-32603);
    }
    expect(desk.tools.aborted).toEqual(['wait']);
    expect(client.stream.response.complete).toBe(true);
    expect(desk.notifier.sessions).toEqual([]);
  });
});
