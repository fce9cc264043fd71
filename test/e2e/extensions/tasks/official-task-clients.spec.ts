import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from '@modelcontextprotocol/client';
import {
  createTaskSessionFromClient,
  resultFromTaskOutcome,
  type RawClientDispatch,
} from '@modelcontextprotocol/ext-tasks/client';
import type { JsonValue } from '@modelcontextprotocol/ext-tasks/core';
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
import type { JsonObject } from '../../../support/clients/message.js';
import { publishedClient, TASK_CLIENT, type PublishedClient } from '../../../support/clients/task-wires.js';
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

  it('v2 of a session are driven by the package of the extension (TASK-04)', async () => {
    const client = new ClientV2(INFO, { versionNegotiation: { mode: 'legacy' } });
    await client.connect(new HttpV2(new URL(desk.url), { fetch: fetchHere }));
    const session = createTaskSessionFromClient(client, { endpointId: 'desk' });
    desk.tools.gates.at('driven').open();
    const execution = await session.callTool('must', { name: 'driven' });
    const { outcome } = await execution.settle();
    expect(resultFromTaskOutcome(outcome)).toMatchObject({ content: [{ text: 'driven is done' }] });
    await session.close();
    await client.close();
  });

  it('v2 of the stateless wire are driven by the package of the extension (TASK-01)', async () => {
    const client = new ClientV2(INFO, {
      versionNegotiation: { mode: { pin: PER_REQUEST_VERSION } },
      capabilities: TASK_CLIENT,
    });
    await client.connect(new HttpV2(new URL(desk.url), { fetch: fetchHere }));
    const session = createTaskSessionFromClient(client, {
      endpointId: 'desk',
      rawDispatch: (request) => dispatch(publishedClient(desk.url), request as never),
      v2RequestFraming: {
        protocolVersion: PER_REQUEST_VERSION,
        clientInfo: INFO,
        clientCapabilities: TASK_CLIENT,
      },
    });
    desk.tools.gates.at('framed').open();
    const execution = await session.callTool('must', { name: 'framed' });
    const { outcome } = await execution.settle();
    expect(resultFromTaskOutcome(outcome)).toMatchObject({ content: [{ text: 'framed is done' }] });
    await session.close();
    await client.close();
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

/** Fetches as ever; the package takes JSON alone whose prototypes are those of its own realm, which a test runner sets apart. */
async function fetchHere(...request: Parameters<typeof fetch>): Promise<Response> {
  const response = await fetch(...request);
  return Object.defineProperty(response, 'json', { value: async () => JSON.parse(await response.text()) });
}

/** Sends what the package has framed, as a host does that coordinates its requests itself. */
async function dispatch(
  client: PublishedClient,
  { method, params }: { readonly method: string; readonly params: JsonObject },
): Promise<JsonRpcResponse> {
  const { result, error } = await client.send(method, params);
  if (error !== undefined) return { kind: 'error', error: error as never };
  return { kind: 'result', result: result as JsonValue };
}

type JsonRpcResponse = Awaited<ReturnType<RawClientDispatch>>;
