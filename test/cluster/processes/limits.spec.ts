import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { initialize, perRequest } from '../../support/clients/json-rpc.js';
import { ProcessCluster } from '../../support/cluster/process-cluster.js';
import { until } from '../../support/until.js';

const LIMIT = 10;
/** None of it ends while a test goes on. */
const WINDOW_MS = 3_600_000;
const CALL = { name: 'limited', arguments: {} };
const bearer = (subject: string) => ({ authorization: `Bearer token-of-${subject}-0123456789` });

let cluster: ProcessCluster;

beforeAll(async () => {
  cluster = await ProcessCluster.start({
    program: 'limited',
    environment: { LIMIT: String(LIMIT), WINDOW_MS: String(WINDOW_MS) },
  });
}, 120_000);

afterAll(() => cluster.stop());

/** Sends calls at once to all processes in turn, and counts the statuses of their answers. */
async function press(calls: number, headers: Record<string, string>): Promise<Record<number, number>> {
  const answers = Array.from({ length: calls }, (_, index) =>
    perRequest(cluster.urlOf(index % 3), { headers }).request('tools/call', CALL),
  );
  const statuses: Record<number, number> = {};
  for (const { status } of await Promise.all(answers)) statuses[status] = (statuses[status] ?? 0) + 1;
  return statuses;
}

describe('A limit of three processes that share a Redis', () => {
  it('holds for a caller in all of them, and leaves another caller his own (OPS-04)', async () => {
    expect(await press(3 * LIMIT, bearer('ada'))).toEqual({ 200: LIMIT, 429: 2 * LIMIT });
    expect(await press(LIMIT, bearer('bob'))).toEqual({ 200: LIMIT });
  }, 60_000);

  it('holds for a caller in a session, through the balancer (OPS-04)', async () => {
    const session = await initialize(cluster.url, { headers: bearer('ada') });
    const refused = await session.request('tools/call', CALL);
    expect(refused).toMatchObject({
      status: 429,
      error: { code: -32023, data: { limit: LIMIT, remaining: 0 } },
    });
    const retryAfterMs = Number(refused.headers['retry-after']) * 1000;
    expect(retryAfterMs).toBeGreaterThan(0);
    expect(retryAfterMs).toBeLessThanOrEqual(WINDOW_MS);
    expect(refused.error?.data).toMatchObject({ retryAfterMs });
  }, 60_000);

  it('holds for strangers without sessions and in one (OPS-04)', async () => {
    // All of them come from this machine, behind a proxy that is not trusted.
    expect(await press(2 * LIMIT, {})).toEqual({ 200: LIMIT, 429: LIMIT });
    const session = await initialize(cluster.url);
    const statuses = [];
    for (let call = 0; call <= LIMIT; call += 1) {
      statuses.push((await session.request('tools/call', CALL)).status);
    }
    expect(statuses).toEqual([...Array<number>(LIMIT).fill(200), 429]);
  }, 60_000);

  it('is gone while Redis is, and back with it (OPS-04)', async () => {
    cluster.redis.pause();
    const answer = await perRequest(cluster.urlOf(0), { headers: bearer('ada') }).request('tools/call', CALL);
    expect(answer.status).toBe(200);
    cluster.redis.resume();
    await until(async () => (await press(3, bearer('ada')))[429] === 3, 'the limit of all processes', 30_000);
  }, 60_000);
});
