import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../support/clients/message.js';
import { TaskProgram, TemporaryDirectory } from '../support/programs/task-program.js';
import { publishedClient, serviceClient, textOfTask } from '../support/clients/task-wires.js';
import { until } from '../support/until.js';

const TASKS = 60;
/** What a process says within it shows that it lives, on a machine that does much else. */
const HOLDER_TIMEOUT_MS = '3000';

let directory: TemporaryDirectory;
let program: TaskProgram;

beforeEach(() => {
  directory = new TemporaryDirectory();
});

afterEach(async () => {
  await program.stop();
  directory.remove();
});

describe('A process that is killed in the middle of tasks and started again', () => {
  it('has lost no task, and each that nobody finishes has failed with a reason (TASK-02) (TASK-01)', async () => {
    const environment = { DIRECTORY: directory.path, CONCURRENCY: '20', HOLDER_TIMEOUT_MS };
    program = await TaskProgram.start(environment);
    const client = publishedClient(program.url);
    const service = await serviceClient(program.url);
    const bound = await service.create('work', { name: 'bound', ms: 600_000 });
    const asking = await client.create('ask');
    await client.reach(asking['taskId'], 'input_required');
    const quick = await client.create('work', { name: 'quick', ms: 1 });
    expect(await client.reach(quick['taskId'])).toMatchObject({ status: 'completed' });
    const others = await Promise.all(
      Array.from({ length: TASKS }, (_, count) =>
        // A third ends at once, the rest hangs, and what comes last waits in the queue.
        client.create('work', { name: `task-${count}`, ms: count % 3 === 0 ? 1 : 600_000 }),
      ),
    );
    const created = [quick, ...others];
    const before = new Map<unknown, JsonObject>();
    for (const { taskId } of created) before.set(taskId, await client.get(taskId));
    await program.stop('SIGKILL');

    program = await TaskProgram.start(environment);
    const again = publishedClient(program.url);
    const ids = [asking, bound, ...created].map(({ taskId }) => taskId);
    await until(
      async () => {
        const tasks = await Promise.all(ids.map((taskId) => again.get(taskId)));
        return tasks.every(({ status }) => status === 'completed' || status === 'failed');
      },
      'the end of every task',
      20_000,
    );
    const after = await Promise.all(ids.map((taskId) => again.get(taskId)));
    for (const task of after.filter(({ status }) => status === 'failed')) {
      expect(task).toMatchObject({
        error: { code: -32603, message: 'The process that ran the task has ended' },
        statusMessage: 'The process that ran the task has ended',
      });
    }
    const statusOf = (taskId: unknown) => after.find((task) => task['taskId'] === taskId)?.['status'];
    expect([statusOf(asking['taskId']), statusOf(bound['taskId'])]).toEqual(['failed', 'failed']);
    for (const task of [...before.values()].filter(({ status }) => status === 'completed')) {
      expect(await again.get(task['taskId'])).toEqual(task);
    }
    expect([...before.values()].filter(({ status }) => status === 'working').length).toBeGreaterThan(20);

    // What a client carries of the process before is good in the next.
    const params = { taskId: bound['taskId'], requestState: bound['requestState'] };
    const renewed = await serviceClient(program.url);
    expect((await renewed.send('tasks/get', params)).result).toMatchObject({ status: 'failed' });
    const fresh = await again.create('work', { name: 'fresh' });
    expect(textOfTask(await again.reach(fresh['taskId']))).toContain('fresh is done');
  });

  it('has its waiting tasks run by the next where its queue outlives it (TASK-02)', async () => {
    const environment = { DIRECTORY: directory.path, QUEUE: 'file', CONCURRENCY: '2', HOLDER_TIMEOUT_MS };
    program = await TaskProgram.start(environment);
    const client = publishedClient(program.url);
    const running = [
      await client.create('work', { name: 'r1', ms: 600_000 }),
      await client.create('work', { name: 'r2', ms: 600_000 }),
    ];
    await program.prints('begun r2');
    const waiting = await Promise.all(
      [1, 2, 3].map((count) => client.create('work', { name: `w${count}`, ms: 1 })),
    );
    await program.stop('SIGKILL');

    program = await TaskProgram.start(environment);
    const again = publishedClient(program.url);
    for (const { taskId } of waiting) {
      expect(await again.reach(taskId)).toMatchObject({ status: 'completed' });
    }
    for (const { taskId } of running) {
      await until(async () => (await again.get(taskId))['status'] === 'failed', 'the failure', 20_000);
    }
  });
});

describe('A process that is asked to end while tasks are under way', () => {
  it('aborts and fails them with the reason, tells who listens, and ends soon (TASK-02) (TASK-05) (MOD-12)', async () => {
    const environment = {
      DIRECTORY: directory.path,
      CONCURRENCY: '2',
      HOLDER_TIMEOUT_MS,
      CLOSE_TIMEOUT_MS: '600000',
    };
    program = await TaskProgram.start(environment);
    const client = publishedClient(program.url);
    const created: JsonObject[] = [];
    // One after the other, since two run and the third waits.
    for (const name of ['a', 'b', 'c']) created.push(await client.create('work', { name, ms: 600_000 }));
    await program.prints('begun b');
    const stream = await client.listen(created.map(({ taskId }) => taskId));
    // Tasks that were waited for would last ten minutes, and a store that has to be given up on as long as it is let.
    await program.stop('SIGTERM');
    expect(program.stdout.match(/aborted [ab]: .*failed/g)).toHaveLength(2);
    expect(program.stdout).not.toContain('begun c');
    await stream.ended;
    const told = stream.messages.filter(({ params }) => params?.['status'] === 'failed');
    expect(new Set(told.map(({ params }) => params?.['taskId']))).toEqual(
      new Set(created.map(({ taskId }) => taskId)),
    );

    program = await TaskProgram.start(environment);
    const again = publishedClient(program.url);
    for (const { taskId } of created) {
      expect(await again.get(taskId)).toMatchObject({
        status: 'failed',
        error: { message: 'The server was shut down' },
      });
    }
  });

  it('leaves to others what waits in a queue that outlives it (TASK-02)', async () => {
    const environment = { DIRECTORY: directory.path, QUEUE: 'file', HOLDER_TIMEOUT_MS };
    program = await TaskProgram.start({ ...environment, CONCURRENCY: '0' });
    const client = publishedClient(program.url);
    const waiting = await client.create('work', { name: 'patient' });
    await program.stop('SIGTERM');
    program = await TaskProgram.start({ ...environment, CONCURRENCY: '1' });
    const again = publishedClient(program.url);
    expect(await again.reach(waiting['taskId'])).toMatchObject({ status: 'completed' });
  });
});
