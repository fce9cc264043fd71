import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { SessionClient } from '../../../support/clients/json-rpc.js';
import { AttackedCaller } from '../../../support/cluster/attacked-caller.js';
import { ProcessCluster } from '../../../support/cluster/process-cluster.js';
import { FORGED, ForeignWriter, type ForeignWrite } from '../../../support/redis/foreign-writes.js';
import { RedisServer } from '../../../support/redis/redis-server.js';
import { REDIS_TYPES } from '../../../support/redis/spoil-key.js';

const LONG_MS = 240_000;

const WRITES = [
  ...REDIS_TYPES.map((type) => `made rubbish of type ${type}`),
  'forged in plain text',
  'put back as it was earlier',
  'replaced by another of its kind',
  'replaced by that of another environment',
  'said again, as far as it is a log',
  'deleted',
];

/** What there is to be attacked. */
const KINDS = [
  ...['state', 'log', 'members', 'inbox', 'inbox:', 'lease:webhooks', 'quota:'],
  ...['record:session:', 'record:state:', 'record:webhooks', 'record:webhooks:'],
  ...['task:', 'tasks:open', 'tasks:expiry', 'tasks:workers', 'tasks:of:', 'tasks:quota:'],
];

describe('Processes in a Redis of which somebody else writes each key', () => {
  let redis: RedisServer;
  let production: ProcessCluster;
  let staging: ProcessCluster;
  let attacker: ForeignWriter;
  let writes: Readonly<Record<string, ForeignWrite>>;
  /** Whose own records nobody touches. */
  let bob: AttackedCaller;
  let ada: AttackedCaller;
  let tester: AttackedCaller;
  let keysOfBob: ReadonlySet<string>;
  const ended: SessionClient[] = [];

  beforeAll(async () => {
    redis = await RedisServer.start();
    const environment = { AUTH: '1' };
    production = await ProcessCluster.start({ redis, count: 2, environment });
    staging = await ProcessCluster.start({
      redis,
      count: 2,
      environment: { ...environment, PREFIX: 'staging' },
    });
    attacker = new ForeignWriter(redis, 'cluster', 'staging');
    ada = await AttackedCaller.start('ada', production);
    tester = await AttackedCaller.start('ada', staging, 'staging');
    await tester.useAll();
    await tester.keep();
    ended.push(await ada.useAll());
    const before = new Set(await attacker.listKeys());
    bob = await AttackedCaller.start('bob', production);
    await bob.keep();
    keysOfBob = new Set((await attacker.listKeys()).filter((key) => !before.has(key)));
    writes = attacker.listWrites(await attacker.dump());
    await ada.keep();
  }, LONG_MS);

  afterAll(async () => {
    await Promise.all([ada, bob, tester].map((caller) => caller?.close()));
    attacker?.close();
    await Promise.all([production, staging].map((cluster) => cluster?.stop()));
    await redis?.stop();
  });

  it.each(WRITES)(
    'serve nothing of it, and all that is whole, before and during calls: %s (RELAY-12)',
    async (name) => {
      const write = writes[name] as ForeignWrite;
      await ada.beginTask();
      const kinds = (await attacker.listKeys()).join(' ');
      for (const kind of KINDS) expect(kinds).toContain(`}:${kind}`);
      const stop = ada.keepCalling();
      try {
        for (const key of await attacker.chooseKeys(keysOfBob)) {
          await write(key);
          await bob.findsAll(`after "${key}" was ${name}`);
        }
      } finally {
        stop();
      }
      ended.push(await ada.useAll(`after each key was ${name}`), await bob.useAll());
      await bob.findsAll(`in the end, after each key was ${name}`);
      for (const session of ended) {
        const statuses = [0, 1].map(async (index) => {
          return (await session.at(production.urlOf(index)).request('tools/list')).status;
        });
        expect(await Promise.all(statuses)).toEqual([404, 404]);
      }
      expectNothingForeign();
    },
    LONG_MS,
  );

  it(
    'serve nothing that another environment with their secret has, although it is copied to them (RELAY-12)',
    async () => {
      await attacker.copyAll();
      expect(await tester.askAt(production)).toEqual([404, -32602]);
      await tester.findsAll('in their own environment');
      await bob.useAll();
      expectNothingForeign();
    },
    LONG_MS,
  );

  it(
    'serve nothing forged to a caller whose own records are written over (RELAY-12)',
    async () => {
      for (const name of ['forged in plain text', 'replaced by another of its kind']) {
        for (const key of await attacker.listKeys()) await writes[name]?.(key);
        await bob.useAll(`after each record was ${name}`);
        expectNothingForeign();
      }
      await bob.keep();
      await bob.findsAll('after all');
    },
    LONG_MS,
  );

  /** Nobody has heard anything forged or of another environment, and each task has begun once. */
  function expectNothingForeign(): void {
    const printed = production.processes.map(({ stdout }) => stdout).join('\n');
    const heard = [...ada.heard, ...bob.heard, printed].join('\n');
    expect(heard).not.toContain(FORGED);
    expect(heard).not.toContain('staging');
    const begun = [...printed.matchAll(/begun [^.]+\./g)].map(([text]) => text);
    expect(begun.length).toBeGreaterThan(0);
    expect(begun).toHaveLength(new Set(begun).size);
  }
});
