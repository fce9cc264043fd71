import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SseClient } from '../../support/clients/sse-client.js';
import { sendHttp } from '../../support/clients/raw-http.js';
import { neverTwice } from '../../support/cluster/balancer.js';
import { endAfterEach } from '../../support/cluster/end-after-each.js';
import { ProcessCluster } from '../../support/cluster/process-cluster.js';
import { range } from '../../support/cluster/kept-stream.js';
import { until, within } from '../../support/until.js';

const LONG_MS = 30_000;
const CAPABILITIES = { elicitation: {}, sampling: {}, roots: {} };

let cluster: ProcessCluster;
let url: string;

beforeAll(async () => {
  cluster = await ProcessCluster.start({ choose: neverTwice() });
  url = `${cluster.balancer.origin}/sse`;
}, 120_000);

afterAll(() => cluster.stop());

const begin = endAfterEach();

describe('A client of HTTP+SSE, no two requests of which reach the same process', () => {
  it('gets the answers of all that it posts on its stream (RELAY-01)', async () => {
    const client = await SseClient.connect(url);
    const texts = [];
    for (let count = 0; count < 6; count += 1) texts.push(await client.callTool('where'));
    expect(new Set(texts).size).toBe(1);
    expect((await client.request('tools/list')).result).toBeDefined();
    await client.close();
  });

  it('gets progress, is asked, and answers (RELAY-01) (RELAY-05)', async () => {
    const client = await SseClient.connect(url, { version: '2025-06-18', capabilities: CAPABILITIES });
    const call = { name: 'steps', arguments: { count: 3 }, _meta: { progressToken: 't' } };
    await client.request('tools/call', call);
    const heard = client.stream.messages.filter(({ method }) => method === 'notifications/progress');
    expect(heard).toHaveLength(3);
    const id = await client.send('tools/call', { name: 'ask', arguments: {} });
    const question = await client.stream.nextMessage(
      ({ method }) => method === 'elicitation/create',
      LONG_MS,
    );
    const result = { action: 'accept', content: { word: 'verso' } };
    expect((await client.post({ jsonrpc: '2.0', id: question.id, result })).status).toBe(202);
    const answer = await client.response(id);
    expect(JSON.stringify(answer.result)).toContain('verso at');
    await client.close();
  });

  it('cancels a call (RELAY-05)', async () => {
    const client = await SseClient.connect(url);
    const call = { name: 'hold', arguments: { name: 'sse' }, _meta: { progressToken: 't' } };
    const requestId = await client.send('tools/call', call);
    await client.stream.nextNotification('notifications/progress', LONG_MS);
    await client.notify('notifications/cancelled', { requestId });
    const isAborted = () => cluster.processes.some(({ stdout }) => stdout.includes('aborted sse.'));
    expect(await until(isAborted, 'the abortion', LONG_MS)).toBe(true);
    await client.close();
  });

  it('hears once what any process tells (RELAY-01) (RELAY-04)', async () => {
    const client = await SseClient.connect(url);
    for (const { origin } of cluster.processes) {
      const other = await SseClient.connect(`${origin}/sse`);
      await other.callTool('announce', {
        count: 5,
        from: 1 + 5 * cluster.processes.findIndex((each) => each.origin === origin),
      });
      await other.close();
    }
    const numbers = () =>
      client.stream.messages.flatMap(({ params }) => {
        const { n } = (params?.['data'] ?? {}) as { n?: number };
        return n === undefined ? [] : [n];
      });
    await until(() => numbers().length >= 15, 'all numbers', LONG_MS);
    expect(numbers().toSorted((one, other) => one - other)).toEqual(range(1, 15));
    await client.close();
  });

  it('is answered with 404 for a stream that there is not, or no longer (RELAY-01) (RELAY-06)', async () => {
    const client = await SseClient.connect(url);
    const message = { jsonrpc: '2.0', id: 1, method: 'ping' };
    const wrong = client.endpoint.replace(/.{4}$/, 'AAAA');
    expect((await sendHttp(wrong, { json: message })).status).toBe(404);
    expect((await client.post(message)).status).toBe(202);
    await client.close();
    await until(async () => (await client.post(message)).status === 404, 'the end of the stream', LONG_MS);
  });
});

describe('A process that has a stream of HTTP+SSE', () => {
  it('takes it along when it is killed: what is posted is answered with 404, and a new stream works (RELAY-05) (RELAY-01)', async () => {
    const own = await begin(ProcessCluster.start({ redis: cluster.redis, environment: { PREFIX: 'sse' } }));
    const client = await SseClient.connect(`${own.at(0).origin}/sse`);
    await own.at(0).stop('SIGKILL');
    await within(client.stream.ended, 'the end of the stream', LONG_MS);
    const elsewhere = client.endpoint.replace(/^http:\/\/[^/]+/, own.at(1).origin);
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
    const status = async () => (await sendHttp(elsewhere, { json: ping })).status;
    expect(await within(status(), 'an answer', LONG_MS)).toBe(404);
    const next = await SseClient.connect(`${own.balancer.origin}/sse`);
    expect(await next.callTool('where')).toMatch(/^\d+$/);
    await next.close();
  }, 120_000);

  it('ends it when it is told to end, and answers before what was asked (RELAY-08)', async () => {
    const own = await begin(
      ProcessCluster.start({
        redis: cluster.redis,
        environment: { PREFIX: 'ending-sse', DRAIN_MS: '100' },
      }),
    );
    const client = await SseClient.connect(`${own.at(0).origin}/sse`);
    const id = await client.send('tools/call', { name: 'work', arguments: { ms: 500, name: 'last' } });
    await own.at(0).prints('working last');
    own.at(0).signal('SIGTERM');
    expect(JSON.stringify(await client.response(id))).toContain('worked last');
    await within(client.stream.ended, 'the end of the stream', LONG_MS);
    expect(await own.at(0).exitCode()).toBe(0);
    const next = await SseClient.connect(`${own.at(1).origin}/sse`);
    expect(await next.callTool('where')).toBe(String(own.at(1).pid));
    await next.close();
  }, 120_000);
});
