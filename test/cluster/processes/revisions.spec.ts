import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { HANDSHAKE_VERSIONS, initialize, type SessionClient } from '../../support/clients/json-rpc.js';
import type { EventStream } from '../../support/clients/event-stream.js';
import type { Message } from '../../support/clients/message.js';
import { textOfCall } from '../../support/clients/tools.js';
import { announce } from '../../support/cluster/audience.js';
import { neverTwice } from '../../support/cluster/balancer.js';
import { endAfterEach } from '../../support/cluster/end-after-each.js';
import { KeptStream, range } from '../../support/cluster/kept-stream.js';
import { ProcessCluster } from '../../support/cluster/process-cluster.js';
import { until } from '../../support/until.js';

const LONG_MS = 30_000;
const SAMPLED = { role: 'assistant', model: 'm', content: { type: 'text', text: 'verso' } };

let cluster: ProcessCluster;

beforeAll(async () => {
  cluster = await ProcessCluster.start({ choose: neverTwice() });
}, 120_000);

afterAll(() => cluster.stop());

const begin = endAfterEach();

/** Calls a tool that asks, and reads its question. */
async function callAndBeAsked(
  session: SessionClient,
): Promise<{ readonly stream: EventStream; readonly question: Message }> {
  const stream = await session.start('tools/call', { name: 'sample' }).stream();
  const isQuestion = ({ id, method }: Message) => id !== undefined && method !== undefined;
  return { stream, question: await stream.nextMessage(isQuestion, LONG_MS) };
}

const answerTo = ({ id }: Message) => ({ jsonrpc: '2.0', id, result: SAMPLED });
const isResponse = ({ method }: Message) => method === undefined;

describe.each(HANDSHAKE_VERSIONS)(
  'A client of %s behind the balancer, no two requests of which reach the same process',
  (version) => {
    const open = () => initialize(cluster.url, { version, capabilities: { sampling: {} } });

    it('answers what it is asked (RELAY-01) (RELAY-05)', async () => {
      const session = await open();
      for (let count = 0; count < 3; count += 1) {
        const { stream, question } = await callAndBeAsked(session);
        expect(await session.post(answerTo(question))).toMatchObject({ status: 202 });
        const { result } = await stream.nextMessage(isResponse, LONG_MS);
        expect(textOfCall(result)).toMatch(/^verso at/);
        await stream.close();
      }
    });

    it('cancels its calls (RELAY-01) (RELAY-05)', async () => {
      const session = await open();
      for (let count = 0; count < 3; count += 1) {
        const name = `${version} ${count}`;
        const params = { name: 'hold', arguments: { name }, _meta: { progressToken: 't' } };
        const call = session.start('tools/call', params);
        const stream = await call.stream();
        await stream.nextNotification('notifications/progress', LONG_MS);
        await session.notify('notifications/cancelled', { requestId: call.id });
        const isAborted = () => cluster.processes.some(({ stdout }) => stdout.includes(`aborted ${name}.`));
        expect(await until(isAborted, 'the abortion', LONG_MS)).toBe(true);
        await stream.close();
      }
    });

    it('comes back for the answer of a call (RELAY-01) (RELAY-05)', async () => {
      const session = await open();
      for (let count = 0; count < 3; count += 1) {
        const { stream, question } = await callAndBeAsked(session);
        await stream.close();
        await session.post(answerTo(question));
        const back = await session.openStream({ lastEventId: stream.lastEventId });
        const { result } = await back.nextMessage(isResponse, LONG_MS);
        expect(textOfCall(result)).toMatch(/^verso at/);
        await back.close();
      }
    });

    it('comes back for its standing stream, and misses nothing (RELAY-01) (RELAY-03)', async () => {
      const stream = await begin(KeptStream.open(await open()));
      // A process that is a little late may give a session what came before it: the numbers of an earlier revision.
      const from = 1 + 100 * HANDSHAKE_VERSIONS.indexOf(version);
      for (let turn = 0; turn < 5; turn += 1) {
        const next = from + turn * 20;
        await announce(cluster.url, { count: 10, from: next });
        await until(() => stream.numbers.at(-1) === next + 9, 'numbers', LONG_MS);
        stream.lose();
        await announce(cluster.url, { count: 10, from: next + 10 });
      }
      await until(() => stream.numbers.at(-1) === from + 99, 'all numbers', LONG_MS);
      expect(stream.numbers.filter((number) => number >= from)).toEqual(range(from, from + 99));
      expect(stream.returns).toBeGreaterThanOrEqual(5);
    });

    it('ends its session everywhere (RELAY-01) (RELAY-06)', async () => {
      const session = await open();
      expect((await session.delete()).status).toBeLessThan(300);
      for (const { url } of cluster.processes) {
        const isOver = async () => (await session.at(url).request('ping')).status === 404;
        expect(await until(isOver, 'the end of the session', LONG_MS)).toBe(true);
      }
    });
  },
);

describe('A batch of 2025-03-26', () => {
  it('is answered by whichever process it reaches, and may answer what another asked (RELAY-01) (RELAY-05)', async () => {
    const session = await initialize(cluster.url, { version: '2025-03-26', capabilities: { sampling: {} } });
    const asked = [await callAndBeAsked(session), await callAndBeAsked(session)];
    const ping = { jsonrpc: '2.0', id: 'ping', method: 'ping' };
    const posted = await session.post([...asked.map(({ question }) => answerTo(question)), ping]);
    expect(posted.status).toBe(200);
    for (const { stream } of asked) {
      const { result } = await stream.nextMessage(isResponse, LONG_MS);
      expect(textOfCall(result)).toMatch(/^verso at/);
      await stream.close();
    }
  });
});
