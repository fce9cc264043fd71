import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from '@modelcontextprotocol/client';
import { resultFromTaskOutcome } from '@modelcontextprotocol/ext-tasks/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { ResponseMessage } from '@modelcontextprotocol/sdk/shared/responseMessage.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  CallToolResultSchema,
  CreateTaskResultSchema,
  ElicitRequestSchema,
  TaskStatusNotificationSchema,
  type CallToolResult,
} from '@modelcontextprotocol/sdk/types.js';
import { bootTaskDesk, type TaskDesk } from '../../../support/applications/task-desk.js';
import { PER_REQUEST_VERSION } from '../../../support/clients/json-rpc.js';
import { connectInSession, connectStateless, fetchHere } from '../../../support/clients/task-package.js';
import { until } from '../../../support/until.js';

type Call = Parameters<Client['experimental']['tasks']['callToolStream']>[0];
type StreamMessage = ResponseMessage<CallToolResult>;

const INFO = { name: 'reader', version: '1.0.0' };

describe('The tasks of official clients', () => {
  let desk: TaskDesk;

  beforeAll(async () => {
    desk = await bootTaskDesk();
  });

  afterAll(() => desk.close());

  describe('v1, by its experimental interface', () => {
    let client: Client;
    const told: unknown[] = [];

    beforeAll(async () => {
      client = new Client(INFO, { capabilities: { elicitation: { form: {} } } });
      client.setRequestHandler(ElicitRequestSchema, () => ({
        action: 'accept',
        content: { word: 'folio' },
      }));
      client.setNotificationHandler(TaskStatusNotificationSchema, ({ params }) => void told.push(params));
      await client.connect(new StreamableHTTPClientTransport(new URL(desk.url)));
      await client.listTools();
    });

    afterAll(() => client.close());

    it('are called as a stream: created, followed, and given their result (TASK-04)', async () => {
      const messages = await collect({ name: 'wait', arguments: { name: 'streamed' } }, ({ type }) => {
        if (type === 'taskCreated') desk.tools.gates.at('streamed').open();
      });
      expect(messages[0]).toMatchObject({ type: 'taskCreated', task: { ttl: 60_000, pollInterval: 20 } });
      expect(messages.at(-1)).toMatchObject({
        type: 'result',
        result: { content: [{ type: 'text', text: 'streamed is done' }] },
      });
    });

    it('are called with an output schema, which the client checks (TASK-04) (CORE-06)', async () => {
      const messages = await collect({ name: 'count', arguments: { name: 'four' } });
      expect(messages.at(-1)).toMatchObject({ type: 'result', result: { structuredContent: { total: 4 } } });
    });

    /** Follows a call to its end. */
    async function collect(call: Call, hear: (message: StreamMessage) => void = () => undefined) {
      const messages: StreamMessage[] = [];
      const options = { task: { ttl: 60_000 } };
      for await (const message of client.experimental.tasks.callToolStream(
        call,
        CallToolResultSchema,
        options,
      )) {
        messages.push(message);
        hear(message);
      }
      return messages;
    }

    it('are required where the tool says so: the client asks for them by itself (TASK-04)', async () => {
      desk.tools.gates.at('required').open();
      const stream = client.experimental.tasks.callToolStream({
        name: 'must',
        arguments: { name: 'required' },
      });
      const kinds: string[] = [];
      for await (const { type } of stream) kinds.push(type);
      expect([kinds[0], kinds.at(-1)]).toEqual(['taskCreated', 'result']);
    });

    it('are looked at, waited for, listed and cancelled (TASK-04)', async () => {
      const { task } = await client.request(
        { method: 'tools/call', params: { name: 'ask', arguments: {} } },
        CreateTaskResultSchema,
        { task: {} },
      );
      const { taskId } = task;
      const { tasks } = client.experimental;
      await until(async () => (await tasks.getTask(taskId)).status === 'input_required', 'the question');
      const result = await tasks.getTaskResult(taskId, CallToolResultSchema);
      expect(result.content).toEqual([{ type: 'text', text: 'The word is folio' }]);
      expect((await tasks.listTasks()).tasks.map((listed) => listed.taskId)).toContain(taskId);
      await expect(tasks.cancelTask(taskId)).rejects.toMatchObject({ code: -32602 });
      expect(told).toContainEqual(expect.objectContaining({ taskId, status: 'completed' }));
    });
  });

  it.each([
    ['v2 of a session', connectInSession],
    ['v2 of the stateless wire', connectStateless],
  ])('%s are driven by the package of the extension (TASK-01) (TASK-04)', async (name, connect) => {
    const { session, close } = await connect(desk.url);
    desk.tools.gates.at(name).open();
    const execution = await session.callTool('must', { name });
    const { outcome } = await execution.settle();
    expect(resultFromTaskOutcome(outcome)).toMatchObject({ content: [{ text: `${name} is done` }] });
    await close();
  });

  it('v2 of either kind see a plain result where they declare nothing (TASK-01)', async () => {
    for (const mode of ['legacy', { pin: PER_REQUEST_VERSION }] as const) {
      const client = new ClientV2(INFO, { versionNegotiation: { mode } });
      await client.connect(new HttpV2(new URL(desk.url), { fetch: fetchHere }));
      desk.tools.gates.at('plain').open();
      const { content } = await client.callTool({ name: 'wait', arguments: { name: 'plain' } });
      expect(content).toEqual([{ type: 'text', text: 'plain is done' }]);
      await client.close();
    }
  });
});
