import { afterAll, describe, expect, it } from '@jest/globals';
import { McpInMemoryConnector, McpModule, McpTasks, type TasksOptions } from 'nestjs-mcp';
import { bootApp, type RunningApp } from '../../../support/applications/boot.js';
import { authorize } from '../../../support/applications/protected-desk.js';
import type { JsonObject } from '../../../support/clients/message.js';
import {
  coreClient,
  publishedClient,
  TASK_CLIENT,
  type TaskClient,
} from '../../../support/clients/task-wires.js';
import { ADA, AUTH, PlainTaskStore, PressTools } from './scoped.app.js';

const FULL = authorize(ADA.full.token);
const LESSER = authorize(ADA.lesser.token);

describe('The list of tasks of which some require a scope', () => {
  const store = new PlainTaskStore();
  const desks: RunningApp[] = [];

  afterAll(() => Promise.all(desks.map((desk) => desk.close())));

  async function boot(tasks: TasksOptions): Promise<RunningApp> {
    const desk = await bootApp({
      imports: [
        McpModule.forRoot({
          serverInfo: { name: 'press', version: '1.0.0' },
          tasks: { maxTasksPerCaller: 1000, ...tasks },
          auth: AUTH,
        }),
      ],
      providers: [PressTools],
    });
    desks.push(desk);
    return desk;
  }

  async function listPages(send: TaskClient['send']): Promise<JsonObject[][]> {
    const pages: JsonObject[][] = [];
    let cursor: unknown;
    do {
      const { result } = await send('tasks/list', cursor === undefined ? {} : { cursor });
      pages.push(result?.['tasks'] as JsonObject[]);
      cursor = result?.['nextCursor'];
    } while (cursor !== undefined);
    return pages;
  }

  it.each([
    ['in memory', {}],
    ['of somebody else’s', { store }],
  ] as const)(
    'names none to a token that cannot see it, page by page, with a store %s (FAIR-06) (TASK-04)',
    async (_case, tasks) => {
      const desk = await boot(tasks);
      const client = await coreClient(desk.url, { headers: FULL });
      const tools = desk.app.get(PressTools);
      tools.gates.at('listed').open();
      const created: Record<'print' | 'read', unknown[]> = { print: [], read: [] };
      // The first page of the store has nothing for the lesser token, and its last tasks are of the other kind.
      for (let count = 0; count < 320; count += 1) {
        const name = count < 110 || count % 2 === 0 ? 'print' : 'read';
        const { taskId } = await client.create(name, { name: 'listed' });
        created[name].push(taskId);
      }
      const all = await listPages(client.send);
      expect(all.map((page) => page.length)).toEqual([100, 100, 100, 20]);
      const seen = await listPages((method, params) => client.session.request(method, params, LESSER));
      expect(seen.map((page) => page.length)).toEqual([100, 5]);
      expect(seen.flat().map(({ taskId }) => taskId)).toEqual(created.read);
    },
  );
});

describe('A caller within the process', () => {
  it('sees a task by the scopes of its own connection (FAIR-06)', async () => {
    const desk = await bootApp({
      imports: [
        McpModule.forRoot({ serverInfo: { name: 'press', version: '1.0.0' }, tasks: true, auth: AUTH }),
      ],
      providers: [PressTools],
    });
    const connector = desk.app.get(McpInMemoryConnector);
    const client = publishedClient(desk.url, { headers: FULL });
    desk.app.get(PressTools).gates.at('memory').open();
    const { taskId } = await client.create('print', { name: 'memory' });
    await client.reach(taskId);
    const ask = async (token: string): Promise<JsonObject> => {
      const transport = await connector.connect({ token });
      const answered = new Promise<object>((resolve) => (transport.onmessage = resolve));
      await transport.start();
      const _meta = {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': TASK_CLIENT,
        'io.modelcontextprotocol/clientInfo': { name: 'e2e', version: '1.0.0' },
      };
      await transport.send({ jsonrpc: '2.0', id: 1, method: 'tasks/get', params: { taskId, _meta } });
      const answer = await answered;
      await transport.close();
      return answer as JsonObject;
    };
    expect(await ask(ADA.lesser.token)).toMatchObject({
      error: { message: 'insufficient_scope: desk:read desk:print' },
    });
    expect(await ask(ADA.full.token)).toMatchObject({ result: { status: 'completed' } });
    expect(await desk.app.get(McpTasks).find(String(taskId))).toMatchObject({ scopes: ['desk:print'] });
    await desk.close();
  });
});
