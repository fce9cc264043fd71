import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { textOfTask } from '../../../support/clients/task-wires.js';
import { AttackedTasks, clientOf, listIds } from '../../../support/redis/attacked-tasks.js';
import { until } from '../../../support/until.js';
import { buildRecord } from '../../../unit/server/extensions/tasks/build-record.js';
import { getParts } from '../../../support/applications/get-parts.js';

const FOREIGN = { content: [{ type: 'text', text: 'FORGED RESULT' }] };

describe('Tasks that somebody else writes into Redis', () => {
  let scene: AttackedTasks;
  let warnings: string[];

  beforeAll(async () => {
    scene = await AttackedTasks.start();
  });
  beforeEach(() => {
    scene.begin();
    warnings = [];
    jest.spyOn(Logger.prototype, 'warn').mockImplementation((line) => void warnings.push(String(line)));
  });
  afterEach(async () => {
    await scene.end();
    jest.restoreAllMocks();
  });
  afterAll(() => scene.redis.stop());

  it('are not forged: neither a result, nor a question, nor a task that never was (RELAY-12)', async () => {
    const [here, there] = [await scene.boot(), await scene.boot()];
    const alice = clientOf(here);
    const { taskId } = await alice.create('wait', { name: 'real' });
    const whole = await alice.create('wait', { name: 'whole' });
    const attacker = scene.attack();
    // Who the owner is follows from the issuer and the subject, which are no secret.
    const owner = await scene.findOwner(taskId);
    const forged = buildRecord({ owner, status: 'completed', result: FOREIGN, version: 2 });
    for (const id of [taskId, 'made-up']) await attacker.forge({ ...forged, taskId: String(id) });
    for (const id of [taskId, 'made-up']) {
      const { response } = await clientOf(there).send('tasks/get', { taskId: id });
      expect([id, response?.error?.code]).toEqual([id, -32602]);
    }
    const question = { ask: { method: 'elicitation/create', params: { message: 'Your password?' } } };
    await attacker.forge({
      ...forged,
      taskId: String(taskId),
      status: 'input_required',
      inputRequests: question as never,
    });
    expect(JSON.stringify(await clientOf(there).send('tasks/get', { taskId }))).not.toContain('password');
    const lines = warnings.filter((line) => line.includes('cannot be read'));
    expect(lines).toEqual([expect.stringContaining(attacker.taskKey(taskId))]);
    expect(lines.join()).not.toMatch(/FORGED|alice|password/);
    here.tools.gates.at('whole').open();
    expect(textOfTask(await clientOf(there).reach(whole['taskId']))).toBe('whole is done');
  });

  it('are not run with other arguments than those of the caller, although they wait (RELAY-12)', async () => {
    const desk = await scene.boot({ tasks: { concurrency: 1 } });
    const alice = clientOf(desk);
    const first = await alice.create('wait', { name: 'first' });
    const second = await alice.create('wait', { name: 'second' });
    const third = await alice.create('wait', { name: 'third' });
    await scene.attack().forge(
      buildRecord({
        taskId: String(second['taskId']),
        call: {
          version: '2026-07-28',
          params: { name: 'wait', arguments: { name: 'by-attacker' } },
          client: { capabilities: {} },
        },
      }),
    );
    for (const name of ['first', 'second', 'third', 'by-attacker']) desk.tools.gates.at(name).open();
    await alice.reach(first['taskId']);
    expect(textOfTask(await alice.reach(third['taskId']))).toBe('third is done');
    expect([...desk.tools.calls.keys()]).toEqual(['first', 'third']);
  });

  it('are not run for a caller that a forged record names, although a queue gives their ids (RELAY-12)', async () => {
    let run: (taskId: string) => Promise<void> = async () => undefined;
    const queue = {
      isDurable: true,
      start: (start: typeof run) => void (run = start),
      add: (taskId: string) => void run(taskId),
      stop: () => undefined,
    };
    const desk = await scene.boot({ tasks: { queue } });
    const call = {
      version: '2026-07-28',
      params: { name: 'wait', arguments: { name: 'admin' } },
      client: { capabilities: {} },
      authentication: { method: 'bearer', claims: { sub: 'root' }, scopes: ['admin'], identity: 'root' },
    };
    await scene.attack().forge(buildRecord({ taskId: 'forged', call }));
    desk.tools.gates.at('admin').open();
    await run('forged');
    const { taskId } = await clientOf(desk).create('wait', { name: 'real' });
    desk.tools.gates.at('real').open();
    await clientOf(desk).reach(taskId);
    expect([...desk.tools.calls]).toEqual([['real', 1]]);
  });
  it('are not taken over from another prefix, nor under another id (RELAY-12)', async () => {
    const [staging, production] = [await scene.boot({}, `${scene.prefix}-staging`), await scene.boot()];
    const [tester, alice] = [clientOf(staging), clientOf(production)];
    const { taskId } = await tester.create('wait', { name: 'of staging' });
    staging.tools.gates.at('of staging').open();
    expect(textOfTask(await tester.reach(taskId))).toBe('of staging is done');
    const [text = '', version = ''] = await scene.attack(`${scene.prefix}-staging`).read(taskId);
    await scene.attack().write(taskId, text, version);
    expect((await alice.send('tasks/get', { taskId })).response?.error?.code).toBe(-32602);
    const own = await alice.create('wait', { name: 'own' });
    production.tools.gates.at('own').open();
    await alice.reach(own['taskId']);
    const [ownText = '', ownVersion = ''] = await scene.attack().read(own['taskId']);
    await scene.attack().write('another-id', ownText, ownVersion);
    expect((await alice.send('tasks/get', { taskId: 'another-id' })).response?.error?.code).toBe(-32602);
    expect(textOfTask(await alice.get(own['taskId']))).toBe('own is done');
  });

  it('run once, although earlier versions are put back and queued again (RELAY-12) (TASK-02)', async () => {
    const runs: ((taskId: string) => Promise<void>)[] = [];
    const openQueue = () => ({
      isDurable: true,
      start: (run: (taskId: string) => Promise<void>) => void runs.push(run),
      add: () => undefined,
      stop: () => undefined,
    });
    const [here, there] = [
      await scene.boot({ tasks: { queue: openQueue() } }),
      await scene.boot({ tasks: { queue: openQueue() } }),
    ];
    const attacker = scene.attack();
    const states: (readonly string[])[] = [];
    const alice = clientOf(here);
    const { taskId } = await alice.create('wait', { name: 'once' });
    states.push(await attacker.read(taskId));
    const running = runs[0]?.(String(taskId));
    await until(() => here.tools.calls.get('once') === 1, 'the call');
    states.push(await attacker.read(taskId));
    expect(states.map(([, version]) => version)).toEqual(['1', '2']);
    const putBack = async (...earlier: readonly (readonly string[])[]): Promise<void> => {
      for (const [text = '', version = ''] of earlier) {
        for (const told of [version, '1', '2', '3']) {
          await attacker.write(taskId, text, told);
          await Promise.all(runs.map((run) => run(String(taskId))));
        }
      }
    };
    // The other process knows from the log what became of the task, as it knows what comes later.
    const hearNews = async (): Promise<void> => {
      const next = await alice.create('wait', { name: 'next' });
      const ledger = getParts(there.app).tasks.ledger;
      const before = buildRecord({ taskId: String(next['taskId']), version: 0 });
      await until(() => ledger.isSuperseded(before), 'the news');
    };
    await hearNews();
    there.tools.gates.at('once').open();
    await putBack(states[0] ?? []);
    await attacker.write(taskId, ...(states[1] as [string, string]));
    here.tools.gates.at('once').open();
    expect(textOfTask(await alice.reach(taskId))).toBe('once is done');
    await running;
    await hearNews();
    await putBack(...states);
    expect([here.tools.calls.get('once'), there.tools.calls.get('once')]).toEqual([1, undefined]);
    for (const desk of [here, there]) {
      expect((await clientOf(desk).send('tasks/get', { taskId })).response?.error?.code).toBe(-32602);
    }
  });

  it('show one caller nothing of another, whatever is pushed into lists (RELAY-12)', async () => {
    const desk = await scene.boot();
    const [alice, bob] = [clientOf(desk), clientOf(desk, 1)];
    const ofAlice = await alice.create('wait', { name: 'of alice' });
    const ofBob = await bob.create('wait', { name: 'of bob' });
    const lists = (await scene.redis.send('KEYS', `${scene.attack().base}:tasks:of:*`)) as string[];
    expect(lists).toHaveLength(2);
    for (const list of lists) {
      for (const { taskId, createdAt } of [ofAlice, ofBob]) {
        for (const at of [createdAt, '2020-01-01T00:00:00.000Z', 'zzz']) {
          await scene.redis.send('ZADD', list, 0, `${String(at)}|${String(taskId)}`);
        }
      }
      await scene.redis.send('ZADD', list, 0, 'rubbish', 0, '|', 0, 'bytes\xff');
    }
    expect(await listIds(desk)).toEqual([ofAlice['taskId']]);
    expect(await listIds(desk, 1)).toEqual([ofBob['taskId']]);
  });
});
