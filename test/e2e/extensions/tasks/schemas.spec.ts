import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  CallToolResultV1Schema,
  CancelTaskResultV1Schema,
  CreateTaskResultV1Schema,
  GetTaskResultV1Schema,
  ListTasksResultV1Schema,
  ServerCapabilitiesV1Schema,
  TaskStatusNotificationV1Schema,
  ToolV1Schema,
} from '@modelcontextprotocol/ext-tasks/core/v1';
import {
  CallToolResultV2Schema,
  CancelTaskResultV2Schema,
  CreateTaskResultV2Schema,
  DetailedTaskV2Schema,
  GetTaskResultV2Schema,
  TasksExtensionCapabilityV2Schema,
  TaskStatusNotificationV2Schema,
  TaskSubscriptionAcknowledgedNotificationsV2Schema,
  UpdateTaskResultV2Schema,
} from '@modelcontextprotocol/ext-tasks/core/v2';
import * as sdk from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type { JsonObject } from '../../../support/clients/message.js';
import { initialize } from '../../../support/clients/json-rpc.js';
import { bootTaskDesk, type TaskDesk } from '../../../support/applications/task-desk.js';
import {
  coreClient,
  publishedClient,
  serviceClient,
  TASKS,
  type TaskClient,
} from '../../../support/clients/task-wires.js';

interface Schema {
  safeParse(value: unknown): { readonly success: boolean; readonly error?: unknown };
}

/** Fails with what is wrong. */
function expectValid(schema: Schema, value: unknown): void {
  const { success, error } = schema.safeParse(value);
  if (!success) throw new Error(`${String(error)}\n${JSON.stringify(value, null, 2)}`);
}

/** What the service specification says of `notifications/tasks/status`. */
const SERVICE_STATUS = z.object({
  taskId: z.string(),
  status: z.enum(['running', 'completed', 'failed', 'cancelled', 'input_required']),
  createdAt: z.iso.datetime(),
  completedAt: z.iso.datetime().optional(),
  ttlMs: z.int(),
  pollIntervalMs: z.int(),
  result: z.looseObject({ resultType: z.literal('complete'), content: z.array(z.unknown()) }).optional(),
  error: z.object({ code: z.int(), message: z.string(), data: z.unknown() }).optional(),
  requestState: z.string(),
});

/** Tools by the status that their tasks come to. */
const ENDS = [
  ['working', 'wait'],
  ['input_required', 'askBoth'],
  ['completed', 'count'],
  ['failed', 'break'],
  ['cancelled', 'ask'],
] as const;

/** The arguments of a tool. */
function givenTo(tool: string): JsonObject {
  return tool === 'wait' || tool === 'count' ? { name: 'schema' } : {};
}

describe('The messages of tasks, by their published schemas', () => {
  let desk: TaskDesk;

  beforeAll(async () => {
    desk = await bootTaskDesk();
  });

  afterAll(() => desk.close());

  /** Brings a task to a status and gives its id. */
  async function bring(client: TaskClient, status: string, tool: string): Promise<unknown> {
    const { taskId } = await client.create(tool, givenTo(tool));
    if (status === 'cancelled') await client.send('tasks/cancel', { taskId });
    await client.reach(taskId, ...(status === 'working' ? ['working', 'running'] : [status]));
    return taskId;
  }

  it.each(ENDS)(
    'are valid for a task that is %s, on the stateless wire (TASK-01) (TASK-02)',
    async (status, tool) => {
      const client = publishedClient(desk.url);
      const created = await client.call(tool, givenTo(tool));
      expectValid(CreateTaskResultV2Schema, created.result);
      const taskId = await bring(client, status, tool);
      const task = await client.get(taskId);
      expectValid(GetTaskResultV2Schema, task);
      if (status === 'completed') expectValid(CallToolResultV2Schema, task['result']);
      const updated = await client.send('tasks/update', { taskId, inputResponses: {} });
      expectValid(UpdateTaskResultV2Schema, updated.result);
      const cancelled = await client.send('tasks/cancel', { taskId });
      expectValid(CancelTaskResultV2Schema, cancelled.result);
    },
  );

  it('are valid on a stream that listens to tasks (TASK-05)', async () => {
    const client = publishedClient(desk.url);
    for (const [status, tool] of ENDS) {
      const taskId = await bring(client, status, tool);
      const stream = await client.listen([taskId]);
      const told = await stream.nextNotification('notifications/tasks');
      expectValid(TaskStatusNotificationV2Schema, told);
      const [acknowledged] = stream.messages;
      expectValid(TaskSubscriptionAcknowledgedNotificationsV2Schema, acknowledged?.params?.['notifications']);
      await stream.close();
    }
  });

  it('are valid where the server declares the extension (TASK-01) (TASK-04)', async () => {
    const discovered = await publishedClient(desk.url).client.start('server/discover').result();
    const { extensions } = discovered['capabilities'] as { extensions: JsonObject };
    expectValid(TasksExtensionCapabilityV2Schema, extensions[TASKS]);
    const session = await initialize(desk.url);
    expectValid(ServerCapabilitiesV1Schema, session.result['capabilities']);
    expectValid(sdk.ServerCapabilitiesSchema, session.result['capabilities']);
    const listed = await session.start('tools/list').result();
    for (const tool of listed['tools'] as unknown[]) {
      expectValid(ToolV1Schema, tool);
      expectValid(sdk.ToolSchema, tool);
    }
  });

  it.each(ENDS)('are valid for a task that is %s, in 2025-11-25 (TASK-04)', async (status, tool) => {
    const client = await coreClient(desk.url);
    const stream = await client.session.openStream();
    const created = await client.call(tool, givenTo(tool));
    expectValid(CreateTaskResultV1Schema, created.result);
    expectValid(sdk.CreateTaskResultSchema, created.result);
    const taskId = await bring(client, status, tool);
    const task = await client.get(taskId);
    expectValid(GetTaskResultV1Schema, task);
    expectValid(sdk.GetTaskResultSchema, task);
    const listed = await client.send('tasks/list');
    expectValid(ListTasksResultV1Schema, listed.result);
    expectValid(sdk.ListTasksResultSchema, listed.result);
    if (status === 'completed') {
      const { result } = await client.send('tasks/result', { taskId });
      expectValid(CallToolResultV1Schema, result);
      expectValid(sdk.CallToolResultSchema, result);
    }
    if (status === 'working') {
      const { result } = await client.send('tasks/cancel', { taskId });
      expectValid(CancelTaskResultV1Schema, result);
      expectValid(sdk.CancelTaskResultSchema, result);
    }
    const told = await stream.nextNotification('notifications/tasks/status');
    expectValid(TaskStatusNotificationV1Schema, told);
    expectValid(sdk.TaskStatusNotificationSchema, told);
    await stream.close();
  });

  it.each(ENDS)(
    'are those of the extension for a task that is %s in a session that declared it, with what the service adds (TASK-03)',
    async (status, tool) => {
      const client = await serviceClient(desk.url, { version: '2025-06-18' });
      const taskId = await bring(client, status, tool);
      const task = await client.get(taskId);
      expectValid(SERVICE_STATUS, task);
      const isRunning = task['status'] === 'running';
      expectValid(DetailedTaskV2Schema, { ...task, ...(isRunning && { status: 'working' }) });
      const isOver = ['completed', 'failed', 'cancelled'].includes(status);
      expect('completedAt' in task).toBe(isOver);
    },
  );

  it('are valid where a task is told of in a session that declared the extension (TASK-03)', async () => {
    const client = await serviceClient(desk.url);
    const stream = await client.session.openStream();
    for (const [status, tool] of ENDS) await bring(client, status, tool);
    await stream.nextMessage(({ params }) => params?.['status'] === 'cancelled');
    const told = stream.messages.filter(({ method }) => method === 'notifications/tasks/status');
    expect(new Set(told.map(({ params }) => params?.['status'])).size).toBe(4);
    for (const { params } of told) expectValid(SERVICE_STATUS, params);
    await stream.close();
  });
});
