import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  Client as ClientV2,
  SSEClientTransport as SseV2,
  StreamableHTTPClientTransport as HttpV2,
} from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  ElicitRequestSchema,
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
  type Progress,
} from '@modelcontextprotocol/sdk/types.js';
import { ADAPTERS } from '../../support/applications/boot.js';
import { CALLERS } from '../../support/applications/protected-desk.js';
import { until } from '../../support/until.js';
import { bootSse, type SseDesk } from './sse-desk.js';

const INFO = { name: 'old-timer', version: '1.0.0' };

/** A client that is left open goes on looking for its server. */
const clients: { close(): Promise<void> }[] = [];

function keep<Kept extends Client | ClientV2>(client: Kept): Kept {
  clients.push(client);
  return client;
}

afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
});

describe.each(ADAPTERS)('The official clients over HTTP+SSE, on %s', (adapter) => {
  let desk: SseDesk;

  beforeAll(async () => {
    desk = await bootSse(adapter);
  });

  afterAll(() => desk.close());

  it('v1 calls, lists, reads and hears of changes (SSE-01)', async () => {
    const client = keep(new Client(INFO));
    await client.connect(new SSEClientTransport(new URL(desk.sse)));
    const heard: string[] = [];
    client.setNotificationHandler(ToolListChangedNotificationSchema, ({ method }) => void heard.push(method));
    client.setNotificationHandler(
      ResourceUpdatedNotificationSchema,
      ({ params }) => void heard.push(params.uri),
    );
    const steps: Progress[] = [];
    // The client forgets who wants progress as soon as the answer is there.
    const onprogress = (progress: Progress) => {
      steps.push(progress);
      desk.tools.gates.at('progress').open();
    };
    const call = { name: 'wait', arguments: { gate: 'progress' } };
    const { content } = await client.callTool(call, undefined, { onprogress });
    expect(content).toEqual([{ type: 'text', text: 'progress' }]);
    expect(steps).toEqual([{ progress: 1, total: 2, message: 'half' }]);
    expect((await client.listTools()).tools.length).toBeGreaterThan(3);
    expect((await client.readResource({ uri: 'desk://note' })).contents).toHaveLength(1);
    await client.subscribeResource({ uri: 'desk://note' });
    desk.notifier.resourceUpdated('desk://note');
    desk.notifier.toolsListChanged();
    await until(() => heard.length === 2, 'both notifications');
    expect(heard).toEqual(['desk://note', 'notifications/tools/list_changed']);
  });

  it('v1 answers questions, and cancels (SSE-01) (CANC-01)', async () => {
    const client = keep(new Client(INFO, { capabilities: { elicitation: {} } }));
    client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept', content: { text: 'yes' } }));
    await client.connect(new SSEClientTransport(new URL(desk.sse)));
    const { content } = await client.callTool({ name: 'ask', arguments: { text: 'Word?' } });
    expect(content).toEqual([{ type: 'text', text: 'yes' }]);

    const stop = new AbortController();
    const call = client.callTool({ name: 'wait', arguments: { gate: 'v1' } }, undefined, {
      signal: stop.signal,
    });
    await desk.tools.gates.at('v1').reached();
    stop.abort();
    await expect(call).rejects.toThrow(/abort/i);
    await until(() => desk.tools.aborted.includes('v1'), 'the cancellation');
  });

  it('v1 tries streamable HTTP at the URL first, and falls back (SSE-01)', async () => {
    const url = new URL(desk.sse);
    const first = keep(new Client(INFO));
    await expect(first.connect(new StreamableHTTPClientTransport(url))).rejects.toMatchObject({ code: 405 });
    const second = keep(new Client(INFO));
    await second.connect(new SSEClientTransport(url));
    await expect(second.ping()).resolves.toEqual({});
  });

  it('v2 tries streamable HTTP at the URL first, and falls back (SSE-01)', async () => {
    const url = new URL(desk.sse);
    const first = keep(new ClientV2(INFO, { versionNegotiation: { mode: 'auto' } }));
    await expect(first.connect(new HttpV2(url))).rejects.toThrow('Method not allowed: use GET, POST');
    const second = keep(new ClientV2(INFO, { versionNegotiation: { mode: 'legacy' } }));
    await second.connect(new SseV2(url));
    await expect(second.ping()).resolves.toEqual({});
  });

  it.each(['legacy', 'auto', { pin: '2026-07-28' }] as const)(
    'v2 calls over it, negotiating %j (SSE-01)',
    async (mode) => {
      const client = keep(new ClientV2(INFO, { versionNegotiation: { mode } }));
      await client.connect(new SseV2(new URL(desk.sse)));
      const { content } = await client.callTool({ name: 'echo', arguments: { text: 'hi' } });
      expect(content).toEqual([{ type: 'text', text: 'hi' }]);
    },
  );
});

describe.each(ADAPTERS)('The official client v1 over protected HTTP+SSE, on %s', (adapter) => {
  let desk: SseDesk;

  beforeAll(async () => {
    desk = await bootSse(adapter, { options: { auth: { bearer: Object.values(CALLERS) } } });
  });

  afterAll(() => desk.close());

  it('calls with its token on the stream and on every POST (SSE-02)', async () => {
    const client = keep(new Client(INFO));
    const headers = { authorization: `Bearer ${CALLERS.ada.token}` };
    await client.connect(new SSEClientTransport(new URL(desk.sse), { requestInit: { headers } }));
    const { content } = await client.callTool({ name: 'caller' });
    expect(JSON.parse((content as { text: string }[])[0]?.text ?? '')).toMatchObject({ subject: 'ada' });
  });

  it('is refused without one (SSE-02)', async () => {
    await expect(keep(new Client(INFO)).connect(new SSEClientTransport(new URL(desk.sse)))).rejects.toThrow(
      '401',
    );
  });
});
