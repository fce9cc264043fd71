import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { SESSIONS_RESTORED } from '../../../lib/server/sessions/shared/session-change.js';
import { WatchedDesk } from '../../support/applications/watched-desk.js';
import { initialize, type SessionClient } from '../../support/clients/json-rpc.js';
import {
  moveTo,
  settle,
  startCluster,
  type ClusterProcess,
  type RunningCluster,
} from '../../support/cluster/start-cluster.js';
import { RecordedLog } from '../../support/records/recorded-log.js';
import { until } from '../../support/until.js';
import { getParts } from '../../support/applications/get-parts.js';

const URI = 'desk://1';

describe('What a client has settled in its session', () => {
  let cluster: RunningCluster;
  let log: RecordedLog;
  let session: SessionClient;
  let [one, two, three]: ClusterProcess[] = [];

  beforeEach(async () => {
    log = new RecordedLog();
    cluster = await startCluster({
      providers: [WatchedDesk],
      waits: { acknowledgedMs: 1 },
      nest: { logger: log },
    });
    [one, two, three] = cluster.processes;
    session = await initialize(one.url);
    // Two of the processes know the session.
    await moveTo(two, session).request('tools/list');
  });

  afterEach(() => cluster.close());

  /** Sends a request later than all before it: which of two changes in one millisecond is newer is not defined. */
  async function request(
    process: ClusterProcess | undefined,
    method: string,
    params: Record<string, string>,
  ) {
    const before = Date.now();
    await until(() => Date.now() > before + 1, 'a later millisecond');
    await moveTo(process!, session).request(method, params);
  }

  const setLevel = (process: ClusterProcess | undefined, level: string) =>
    request(process, 'logging/setLevel', { level });
  const change = (process: ClusterProcess | undefined, method: 'subscribe' | 'unsubscribe') =>
    request(process, `resources/${method}`, { uri: URI });
  const find = ({ app }: ClusterProcess) => {
    const registry = getParts(app).sessions.registry;
    return registry?.findByKey(session.id.split('.')[0] ?? '');
  };
  const levelAt = (process: ClusterProcess | undefined) => find(process!)?.logLevel;
  const urisAt = (process: ClusterProcess | undefined) => [...(find(process!)?.subscriptions ?? [])];

  /** Reads the record of the session, past what processes know of it. */
  async function readRecord(): Promise<Readonly<Record<string, string>>> {
    const record = await getParts(three!.app).foundation.bus.shared?.find(
      `session:${session.id.split('.')[0]}`,
    );
    return record ?? {};
  }

  /** Writes into the record of the session what it said before, as a Redis does that was restarted with older data. */
  async function writeOlder(set: Record<string, string>, unset: readonly string[] = []): Promise<void> {
    const [key, expires] = [`session:${session.id.split('.')[0]}`, Date.now() + 60_000];
    await getParts(three!.app).foundation.bus.shared?.change({ key, set, unset, expires });
  }

  /** Has a process miss something, so that it reads again what processes know together. */
  async function miss(process: ClusterProcess | undefined): Promise<void> {
    cluster.engine.cut(process!.member);
    await settle(three!);
    cluster.engine.trim();
    cluster.engine.heal();
    await until(() => getParts(process!.app).foundation.bus.isConnected, 'the engine');
    await moveTo(process!, session).request('tools/list');
  }

  it.each([
    ['first', 0, 1],
    ['last', 1, 0],
  ])(
    'counts at all processes by when that was, if the one where it was settled later is back %s (RELAY-15)',
    async (_, back, late) => {
      cluster.engine.cut(one!.member);
      cluster.engine.cut(two!.member);
      await setLevel(one, 'error');
      await setLevel(two, 'warning');
      await change(two, 'subscribe');
      await change(one, 'subscribe');
      await change(two, 'unsubscribe');
      const order = [two!, one!] as const;
      cluster.engine.heal(order[back]!.member);
      await until(() => getParts(order[back]!.app).foundation.bus.stats?.waiting === 0, 'what it had to say');
      cluster.engine.heal(order[late]!.member);
      const isSettled = async () => {
        const { level, ...record } = await readRecord();
        return level === 'warning' && !(`uri ${URI}` in record);
      };
      await until(
        () => [one, two].every((process) => levelAt(process) === 'warning' && urisAt(process).length === 0),
        'the newest',
      );
      await until(isSettled, 'the newest in the record');
      await moveTo(three!, session).request('tools/list');
      expect([levelAt(three), urisAt(three)]).toEqual(['warning', []]);
    },
  );

  it('counts rather than an older record, which is put right for others (RELAY-07) (RELAY-15)', async () => {
    await setLevel(one, 'warning');
    await change(one, 'subscribe');
    const older = await readRecord();
    await setLevel(one, 'error');
    await change(one, 'unsubscribe');
    await writeOlder({ ...older, unsubscribed: '' });
    await miss(one);
    await until(() => find(one!)?.shared?.isUnread === false, 'the record to be read');
    expect([levelAt(one), urisAt(one)]).toEqual(['error', []]);
    await until(async () => (await readRecord())['level'] === 'error', 'the record');
    await moveTo(three!, session).request('tools/list');
    expect([levelAt(three), urisAt(three)]).toEqual(['error', []]);
  });

  it('counts rather than a record from before there was any of it (RELAY-07) (RELAY-15)', async () => {
    await setLevel(one, 'debug');
    await setLevel(one, 'info');
    await change(one, 'subscribe');
    await writeOlder({ level: 'debug', 'version level': '1' }, [`uri ${URI}`, `version uri ${URI}`]);
    await miss(one);
    await until(async () => (await readRecord())['level'] === 'info', 'the record');
    expect([levelAt(one), urisAt(one)]).toEqual(['info', [URI]]);
    await moveTo(three!, session).request('tools/list');
    expect([levelAt(three), urisAt(three)]).toEqual(['info', [URI]]);
  });

  it('counts rather than what another process still knows when the engine comes back empty (RELAY-07) (RELAY-15)', async () => {
    await setLevel(one, 'debug');
    await change(one, 'subscribe');
    await until(() => levelAt(two) === 'debug' && urisAt(two).length === 1, 'the other process');
    cluster.engine.cut(two!.member);
    await setLevel(one, 'info');
    await change(one, 'unsubscribe');
    await settle(one!);
    cluster.engine.clear();
    cluster.engine.heal();
    await until(() => levelAt(two) === 'info' && urisAt(two).length === 0, 'the newest');
    await until(async () => (await readRecord())['level'] === 'info', 'the record');
    await settle(two!);
    expect([levelAt(one), urisAt(one)]).toEqual(['info', []]);
    expect(Object.keys(await readRecord())).not.toContain(`uri ${URI}`);
  });

  it('is not overwritten by a record that lacks what this process changed while the engine was away (RELAY-07)', async () => {
    await setLevel(one, 'debug');
    cluster.engine.cut(one!.member);
    await setLevel(one, 'error');
    await change(one, 'subscribe');
    await settle(three!);
    cluster.engine.trim();
    // The process is back, and what it has to say is still on its way.
    one!.watched.refused.add('append');
    cluster.engine.heal();
    await until(() => find(one!)?.shared?.isUnread === true, 'the gap');
    await moveTo(one!, session).request('tools/list');
    await until(() => find(one!)?.shared?.isUnread === false, 'the record to be read');
    expect([levelAt(one), urisAt(one)]).toEqual(['error', [URI]]);
  });

  it('is told without a fault in any process (RELAY-03)', async () => {
    await setLevel(one, 'error');
    await change(one, 'subscribe');
    await until(() => levelAt(two) === 'error' && urisAt(two).length === 1, 'the other process');
    await change(two, 'unsubscribe');
    await until(() => urisAt(one).length === 0, 'the first process');
    expect([...log.find('error'), ...log.find('warn')]).toEqual([]);
  });

  it('is known to be in the log where a process has told it again (RELAY-07) (RELAY-15)', async () => {
    const { key } = find(one!)!;
    const sessions = [{ key, level: 'error' as const, versions: { level: Date.now() + 60_000 } }];
    await getParts(three!.app).foundation.bus.publishFlushed(SESSIONS_RESTORED, { sessions });
    await until(() => levelAt(one) === 'error', 'the level');
    expect(find(one!)?.shared?.versions.isLogged('level')).toBe(true);
  });

  it('is read before anything is answered that may have missed some of it, whoever asks (RELAY-07)', async () => {
    cluster.engine.cut(one!.member);
    await change(two, 'subscribe');
    await settle(three!);
    cluster.engine.trim();
    cluster.engine.heal();
    await until(() => find(one!)?.shared?.isUnread === true, 'the gap');
    let open = (): void => undefined;
    one!.watched.gate = new Promise((resolve) => (open = resolve));
    const answered: unknown[] = [];
    const asked = Array.from({ length: 2 }, async () => {
      await moveTo(one!, session).request('tools/list');
      answered.push(urisAt(one));
    });
    await until(() => one!.watched.commands.includes('find'), 'the question');
    // Who needs no record is answered meanwhile.
    await initialize(one!.url);
    expect(answered).toEqual([]);
    open();
    await Promise.all(asked);
    expect(answered).toEqual([[URI], [URI]]);
  });
});
