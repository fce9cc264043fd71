import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Tool, type McpOptions } from 'nestjs-mcp';
import { bootServer } from '../../../support/applications/server.js';
import { HANDSHAKE_VERSIONS, initialize, perRequest } from '../../../support/clients/json-rpc.js';
import { bootTaskDesk, type TaskDesk } from '../../../support/applications/task-desk.js';
import {
  coreClient,
  publishedClient,
  serviceClient,
  TASKS,
  type TaskClient,
} from '../../../support/clients/task-wires.js';

const TEXTS = { never: 'at once', greet: 'Hello, Ada!' };
const MUST = { name: 'must', arguments: { name: 'must' } };

describe('What a tool says of tasks', () => {
  let desk: TaskDesk;

  beforeAll(async () => {
    desk = await bootTaskDesk();
  });

  afterAll(() => desk.close());

  const connect: Record<string, () => Promise<TaskClient>> = {
    published: async () => publishedClient(desk.url),
    core: () => coreClient(desk.url),
    service: () => serviceClient(desk.url),
  };

  describe.each(Object.keys(connect))('to a client of the %s wire', (wire) => {
    it('"required" makes every call a task (TASK-01)', async () => {
      const client = (await connect[wire]?.()) as TaskClient;
      const { taskId } = await client.create('must', { name: `must-${wire}` });
      desk.tools.gates.at(`must-${wire}`).open();
      expect(await client.reach(taskId)).toMatchObject({ status: 'completed' });
    });

    it('"forbidden", and nothing said, makes none (TASK-01) (TASK-04)', async () => {
      const client = (await connect[wire]?.()) as TaskClient;
      for (const name of ['never', 'greet'] as const) {
        const given = name === 'greet' ? { name: 'Ada' } : {};
        const { response } = await client.call(name, given);
        expect(response).toMatchObject(
          wire === 'core' ? { error: { code: -32601 } } : { result: { content: [{ text: TEXTS[name] }] } },
        );
      }
    });
  });

  it('"required" is refused on the stateless wire with what is missing (TASK-01)', async () => {
    const { status, error } = await perRequest(desk.url).request('tools/call', MUST);
    expect(status).toBe(400);
    expect(error).toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { extensions: { [TASKS]: {} } } },
    });
  });

  it.each(HANDSHAKE_VERSIONS)(
    '"required" is refused in a session of %s that cannot follow it (TASK-01) (TASK-04)',
    async (version) => {
      const session = await initialize(desk.url, { version });
      const { error } = await session.request('tools/call', MUST);
      expect(error?.code).toBe(version === '2025-11-25' ? -32601 : -32021);
    },
  );

  it('counts for nothing where it is not known whether the tool exists (TASK-04)', async () => {
    const client = await coreClient(desk.url);
    expect((await client.call('nothing')).error?.code).toBe(-32602);
  });
});

@Injectable()
class LongTools {
  @Tool({ task: 'optional' })
  export(): string {
    return 'exported';
  }
}

@Injectable()
class ShortTools {
  @Tool({ task: 'forbidden' })
  export(): string {
    return 'exported';
  }
}

describe('A server without tasks', () => {
  const boot = (options: Partial<McpOptions>, provider: typeof LongTools | typeof ShortTools) =>
    bootServer({ options, providers: [provider] });

  it.each([[{}], [{ tasks: false as never }]])(
    'does not start with a tool that runs as one (TASK-01) (MOD-11)',
    async (options) => {
      await expect(boot(options, LongTools)).rejects.toThrow(
        /"?tasks"?.*(the tool "export" runs as a task|true)/,
      );
    },
  );

  it('has no trace of them (TASK-01) (TASK-04)', async () => {
    const desk = await boot({}, ShortTools);
    const session = await initialize(desk.url);
    const { capabilities } = session.result as { capabilities: object };
    expect(capabilities).not.toHaveProperty('tasks');
    expect(JSON.stringify(capabilities)).not.toContain(TASKS);
    const called = await session.request('tools/call', { name: 'export', task: {} });
    expect(called.result).toMatchObject({ content: [{ text: 'exported' }] });
    for (const method of ['tasks/get', 'tasks/list', 'tasks/result', 'tasks/cancel', 'tasks/update']) {
      expect((await session.request(method, { taskId: 'any' })).error?.code).toBe(-32601);
    }
    const looked = await publishedClient(desk.url).send('tasks/get', { taskId: 'any' });
    expect([looked.status, looked.error?.code]).toEqual([404, -32601]);
    await desk.close();
  });

  it.each([
    [{ ttlMs: 0 }, 'tasks.ttlMs'],
    [{ concurrency: 1.5 }, 'tasks.concurrency'],
    [{ maxTasks: -1 }, 'tasks.maxTasks'],
    [{ workerTimeoutMs: 2 ** 31 }, 'tasks.workerTimeoutMs'],
    [{ store: {} as never }, 'tasks.store'],
    [{ queue: { start: () => undefined } as never }, 'tasks.queue'],
    [{ colour: 'red' } as never, 'tasks.colour'],
  ])('does not start with the options %j (MOD-11)', async (tasks, option) => {
    await expect(boot({ tasks }, LongTools)).rejects.toThrow(option);
  });
});
