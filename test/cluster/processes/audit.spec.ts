import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AuditEvent } from 'nestjs-mcp';
import type { Answer } from '../../support/clients/call.js';
import { initialize, perRequest } from '../../support/clients/json-rpc.js';
import { ProcessCluster, type ClusterProcess } from '../../support/cluster/process-cluster.js';
import { until } from '../../support/until.js';

const LONG_MS = 60_000;
const LIMIT = 20;
const FIRST_ID = 100_000;
/** Whose turn a call of a flood is: each process gets one of everybody. */
const turnOf = (count: number, callers: number) => Math.floor(count / 3) % callers;
const CALL = { name: 'limited', arguments: {} };
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const tokenOf = (subject: string) => bearer(`token-of-${subject}-0123456789`);

/** An event as it is printed. */
type Printed = Omit<AuditEvent, 'time'> & { readonly time: string };

function eventsOf({ stdout }: ClusterProcess): readonly Printed[] {
  return stdout
    .split('\n')
    .slice(0, -1)
    .filter((line) => line.startsWith('audit '))
    .map((line) => JSON.parse(line.slice('audit '.length)) as Printed);
}

let cluster: ProcessCluster;

const allEvents = () => cluster.processes.flatMap(eventsOf);
const isFor = (status: number) => (event: Printed) =>
  ({
    200: event.outcome === 'ok',
    401: event.outcome === 'refused' && event.reason === 'unauthorized',
    429: event.outcome === 'refused' && event.reason === 'rate_limited',
  })[status] === true;

describe('The audit of three processes that share a Redis', () => {
  beforeAll(async () => {
    cluster = await ProcessCluster.start({
      program: 'limited',
      // No turn of the limit ends while a test goes on.
      environment: { LIMIT: String(LIMIT), WINDOW_MS: '3600000', AUDIT: 'optional' },
    });
  }, 120_000);

  afterAll(() => cluster.stop());

  it('has one event for each request of a flood, in the process that answered it (OPS-03)', async () => {
    const callers = [{}, tokenOf('ada'), tokenOf('bob'), bearer('nobody-has-this-token')];
    const answers: (readonly [index: number, id: number, answer: Answer])[] = await Promise.all(
      Array.from({ length: 240 }, async (_, count) => {
        const [index, id] = [count % 3, FIRST_ID + count];
        const headers = callers[turnOf(count, callers.length)]!;
        const call = perRequest(cluster.urlOf(index), { headers }).start('tools/call', CALL, { id });
        return [index, id, await call.answer()] as const;
      }),
    );
    expect(answers.some(([, , { status }]) => status === 429)).toBe(true);
    await until(() => allEvents().length >= answers.length, 'the events', LONG_MS);
    expect(allEvents()).toHaveLength(answers.length);
    expect(new Set(allEvents().map(({ id }) => id)).size).toBe(answers.length);
    for (const [index, process] of cluster.processes.entries()) {
      const mine = answers.filter(([at]) => at === index);
      const events = eventsOf(process);
      expect(events).toHaveLength(mine.length);
      expect(new Set(events.map(({ process: name }) => name)).size).toBe(1);
      for (const status of [200, 401, 429]) {
        const answered = mine.filter(([, , answer]) => answer.status === status);
        expect(events.filter(isFor(status))).toHaveLength(answered.length);
      }
      for (const [, id, { status }] of mine.filter(([, , answer]) => answer.status !== 401)) {
        const [event, ...others] = events.filter(({ requestId }) => requestId === id);
        expect(others).toEqual([]);
        expect(isFor(status)(event!)).toBe(true);
      }
    }
    const allowed = allEvents().filter(isFor(200));
    const countOf = (subject?: string) => allowed.filter(({ caller }) => caller.subject === subject).length;
    const countAnswered = (turn: number) =>
      answers.filter(([, id, { status }]) => turnOf(id - FIRST_ID, callers.length) === turn && status === 200)
        .length;
    expect([countOf('ada'), countOf('bob'), countOf()]).toEqual([1, 2, 0].map(countAnswered));
    // A process that waits too long for the count of all goes on without a limit.
    for (const turn of [0, 1, 2]) expect(countAnswered(turn)).toBeGreaterThanOrEqual(LIMIT);
  }, 120_000);

  it('follows a session through all of them, and tells its end once (OPS-03)', async () => {
    const session = await initialize(cluster.urlOf(0), { headers: tokenOf('ada') });
    await session.at(cluster.urlOf(1)).request('tools/list');
    await session.at(cluster.urlOf(2)).request('tools/list');
    await session.at(cluster.urlOf(1)).delete();
    // Until a process hears of the end, it answers the pings that ask for it below.
    const told = ({ session: name, type, method }: Printed) =>
      name !== undefined && type !== 'notification' && method !== 'ping';
    const find = () => allEvents().filter(told);
    await until(() => find().some(({ type }) => type === 'session_ended'), 'the end', LONG_MS);
    for (const { url } of cluster.processes) {
      await until(async () => (await session.at(url).request('ping')).status === 404, 'it is gone', LONG_MS);
    }
    const known = find().filter(({ outcome }) => outcome === 'ok');
    expect(known.map(({ type, method }) => method ?? type).toSorted()).toEqual([
      'initialize',
      'session_begun',
      'session_ended',
      'tools/list',
      'tools/list',
    ]);
    expect(new Set(known.map(({ session: name }) => name)).size).toBe(1);
    const indexOf = (type: string) =>
      cluster.processes.findIndex((each) => eventsOf(each).some((event) => event.type === type));
    expect([indexOf('session_begun'), indexOf('session_ended')]).toEqual([0, 1]);
  }, 120_000);

  it('tells the beginning and the end of a subscription in the process that has it (OPS-03)', async () => {
    const stream = await perRequest(cluster.urlOf(2), { headers: tokenOf('bob') }).listen({
      toolsListChanged: true,
    });
    const find = () => allEvents().filter(({ method }) => method === 'subscriptions/listen');
    await until(() => find().length === 1, 'the beginning', LONG_MS);
    await stream.close();
    await until(() => find().length === 2, 'the end', LONG_MS);
    expect(find().map(({ type, outcome, caller }) => [type, outcome, caller.subject])).toEqual([
      ['listening_begun', 'ok', 'bob'],
      ['request', 'cancelled', 'bob'],
    ]);
    expect(new Set(find().map(({ process }) => process)).size).toBe(1);
  }, 120_000);

  it('goes on in the others if one is killed, and while Redis is away (OPS-03)', async () => {
    const session = await initialize(cluster.urlOf(0), { headers: tokenOf('bob') });
    await cluster.at(0).stop('SIGKILL');
    const { status } = await session.at(cluster.urlOf(1)).request('ping');
    expect(status).toBe(200);
    const find = (index: number, id: number) =>
      eventsOf(cluster.at(index)).some(({ requestId }) => requestId === id);
    cluster.redis.pause();
    await perRequest(cluster.urlOf(2)).start('tools/list', {}, { id: 200_001 }).answer();
    await until(() => find(2, 200_001), 'its event without Redis', LONG_MS);
    cluster.redis.resume();
    await cluster.replace(0);
    await perRequest(cluster.urlOf(0)).start('tools/list', {}, { id: 200_002 }).answer();
    await until(() => find(0, 200_002), 'its event in the process that came later', LONG_MS);
  }, 120_000);
});

describe('A required audit of three processes that share a Redis', () => {
  beforeAll(async () => {
    cluster = await ProcessCluster.start({
      program: 'limited',
      // All of a flood has come before the first of it is given up.
      environment: { LIMIT: '1000', AUDIT: 'required', AUDIT_TIMEOUT_MS: '10000', STALLED: '40' },
    });
  }, 120_000);

  afterAll(() => cluster.stop());

  it('stops no caller while a flood of strangers cannot be kept, in any of them (OPS-03)', async () => {
    const flood = await Promise.all(
      Array.from({ length: 150 }, async (_, count) => {
        // As JSON it has its status however late it comes.
        const stranger = perRequest(cluster.urlOf(count % 3), { headers: { accept: 'application/json' } });
        return (await stranger.request('tools/call', CALL)).status;
      }),
    );
    const refused = flood.filter((status) => status === 429);
    // Half of what each process may be busy with is for strangers; they come from one address, which nobody can tell from others.
    expect(refused).toHaveLength(150 - 3 * 20);
    expect(flood.filter((status) => status === 500)).toHaveLength(3 * 20);
    for (const index of [0, 1, 2]) {
      const session = await initialize(cluster.urlOf(index), { headers: tokenOf('ada') });
      expect((await session.request('tools/call', CALL)).status).toBe(200);
      const { status } = await perRequest(cluster.urlOf(index), { headers: tokenOf('bob') }).request(
        'tools/call',
        CALL,
      );
      expect(status).toBe(200);
    }
    const listKept = () => allEvents().filter(({ method }) => method === 'tools/call');
    // What a process prints may arrive after what it answers.
    await until(() => listKept().length >= 6, 'the events of the calls', LONG_MS);
    const callers = listKept().map(({ caller }) => caller.subject);
    const countOf = (subject: string) => callers.filter((caller) => caller === subject).length;
    expect([callers.length, countOf('ada'), countOf('bob')]).toEqual([6, 3, 3]);
  }, 120_000);
});
