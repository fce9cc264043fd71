import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client as ClientV2, SSEClientTransport as SseV2 } from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { authorize, CALLERS } from '../../support/applications/protected-desk.js';
import { SseClient } from '../../support/clients/sse-client.js';
import { sendHttp } from '../../support/clients/raw-http.js';
import { Balancer, neverTwice } from '../../support/cluster/balancer.js';
import { startProcesses, type Processes } from '../../support/cluster/processes.js';
import { SseTools } from '../../e2e/sse/sse-desk.js';

const INFO = { name: 'old-timer', version: '1.0.0' };
const TEXT = { content: [{ type: 'text', text: 'hello' }] };

/** Where a client's messages go that reach another process. */
const at = ({ origin }: RunningApp, { endpoint }: SseClient) => endpoint.replace(/^http:\/\/[^/]+/, origin);

describe.each(ADAPTERS)('HTTP+SSE by several processes, on %s', (adapter) => {
  let processes: Processes;
  let balancer: Balancer;

  beforeAll(async () => {
    processes = await startProcesses({ adapter, count: 3, providers: [SseTools], options: { sse: true } });
    const origins = processes.servers.map(({ origin }) => origin);
    balancer = await Balancer.start(origins, neverTwice());
  });
  afterAll(async () => {
    await balancer.stop();
    await processes.close();
  });

  it('carries calls and answers of a v1 client, whatever each message reaches (RELAY-01) (RELAY-05)', async () => {
    const client = new Client(INFO, { capabilities: { elicitation: {} } });
    client.setRequestHandler(ElicitRequestSchema, async () => ({
      action: 'accept',
      content: { text: 'word' },
    }));
    await client.connect(new SSEClientTransport(new URL(`${balancer.origin}/sse`)));
    for (let count = 0; count < 4; count += 1) {
      expect(await client.callTool({ name: 'echo', arguments: { text: 'hello' } })).toMatchObject(TEXT);
    }
    const asked = await client.callTool({ name: 'ask', arguments: { text: 'a word?' } });
    expect(asked).toMatchObject({ content: [{ text: 'word' }] });
    await client.close();
  });

  it('carries calls of a v2 client, whatever each message reaches (RELAY-01) (RELAY-05)', async () => {
    const client = new ClientV2(INFO);
    await client.connect(new SseV2(new URL(`${balancer.origin}/sse`)));
    for (let count = 0; count < 4; count += 1) {
      expect(await client.callTool({ name: 'echo', arguments: { text: 'hello' } })).toMatchObject(TEXT);
    }
    await client.close();
  });

  it('shows a handler the headers of the request that reached another process (RELAY-05)', async () => {
    const client = await SseClient.connect(`${processes.servers[0].origin}/sse`);
    const message = { jsonrpc: '2.0', id: 'agent', method: 'tools/call', params: { name: 'caller' } };
    const headers = { 'user-agent': 'somebody', cookie: 'session=secret-cookie', 'x-api-key': 'secret-key' };
    const posted = await sendHttp(at(processes.servers[1], client), { json: message, headers });
    const { result } = await client.response('agent');
    expect([posted.status, JSON.stringify(result)]).toEqual([202, expect.stringContaining('somebody')]);
    expect(processes.cluster.sent.filter((text) => /secret-(cookie|key)/.test(text))).toEqual([]);
    await client.close();
  });

  it('takes no message for a stream that is over, or that there never was (RELAY-05)', async () => {
    const client = await SseClient.connect(`${processes.servers[0].origin}/sse`);
    await client.close();
    const endpoint = at(processes.servers[1], client);
    const { pathname } = new URL(endpoint);
    const forged = ['nobody.00000000-0000-4000-8000-000000000000', 'x', `${'m'.repeat(50)}.x`];
    const urls = [
      endpoint,
      ...forged.map((id) => `${processes.servers[1].origin}${pathname}?sessionId=${id}`),
    ];
    for (const url of urls) {
      const json = { jsonrpc: '2.0', id: 1, method: 'ping' };
      expect(await sendHttp(url, { json })).toMatchObject({ status: 404 });
    }
  });

  it('runs a message once whose acknowledgement gets lost (RELAY-05)', async () => {
    const client = await SseClient.connect(`${processes.servers[0].origin}/sse`);
    const faults = processes.cluster.faultsOf(1);
    let lost = 0;
    faults.loses = (text) => text.includes('"reply"') && (lost += 1) === 1;
    const message = { jsonrpc: '2.0', id: 'once', method: 'tools/call', params: { name: 'report' } };
    const post = () => sendHttp(at(processes.servers[1], client), { json: message });
    const posted = processes.impatiently(post);
    await client.response('once');
    // What waits for an acknowledgement in vain asks again, or says so.
    expect([202, 503]).toContain((await posted).status);
    faults.loses = () => false;
    expect(lost).toBeGreaterThan(0);
    await client.request('ping');
    expect(client.stream.messages.filter(({ id }) => id === 'once')).toHaveLength(1);
    await client.close();
  });

  it('tells its client to post again while the engine is away (RELAY-07)', async () => {
    const client = await SseClient.connect(`${processes.servers[0].origin}/sse`);
    processes.cluster.isAway = true;
    const json = { jsonrpc: '2.0', id: 'away', method: 'ping' };
    const refused = await processes.impatiently(() => sendHttp(at(processes.servers[1], client), { json }));
    const here = await client.post({ ...json, id: 'here' });
    processes.cluster.isAway = false;
    expect([refused.status, refused.headers['retry-after'], here.status]).toEqual([
      503,
      expect.any(String),
      202,
    ]);
    await client.close();
  });
});

describe('The stream of one caller', () => {
  it('takes messages of that one alone, by any process (RELAY-05) (FAIR-06)', async () => {
    const auth = { bearer: Object.values(CALLERS) };
    const processes = await startProcesses({ providers: [SseTools], options: { sse: true, auth } });
    const client = await SseClient.connect(`${processes.servers[0].origin}/sse`, {
      headers: authorize(CALLERS.ada.token),
    });
    const call = (id: string) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'caller' } });
    const post = (id: string, token: string) =>
      sendHttp(at(processes.servers[1], client), { json: call(id), headers: authorize(token) });
    const stranger = await post('stranger', CALLERS.bob.token);
    const own = await post('own', CALLERS.ada.token);
    const { result } = await client.response('own');
    expect([stranger.status, own.status]).toEqual([404, 202]);
    expect(JSON.stringify(result)).toContain('desk:write');
    expect(processes.cluster.sent.filter((text) => text.includes(CALLERS.ada.token))).toEqual([]);
    await client.close();
    await processes.close();
  });
});
