import type { OutgoingHttpHeaders } from 'node:http';
import type { Answer, Call } from './call.js';
import type { EventStream } from './event-stream.js';
import { initialize, perRequest, type PerRequestClient, type SessionClient } from './json-rpc.js';
import type { JsonObject, Message } from './message.js';
import type { SseClient } from './sse-client.js';
import { until } from '../until.js';

export const TASKS = 'io.modelcontextprotocol/tasks';

/** What a client declares that takes tasks and answers questions. */
export const TASK_CLIENT = {
  elicitation: { form: {} },
  sampling: {},
  extensions: { [TASKS]: {} },
} as const;

/** Statuses from which a task goes nowhere. */
const FINAL: readonly unknown[] = ['completed', 'failed', 'cancelled'];

/** A client that follows its tasks, in whichever way. */
export interface TaskClient {
  /** Calls a tool as a task, and gives all of the answer. */
  call(name: string, given?: JsonObject, params?: JsonObject): Promise<Answer>;
  /** Calls a tool as a task and gives the task as it was created. */
  create(name: string, given?: JsonObject, params?: JsonObject): Promise<JsonObject>;
  send(method: string, params?: JsonObject): Promise<Answer>;
  /** Looks at a task. */
  get(taskId: unknown): Promise<JsonObject>;
  /** Looks at a task until its status is one of these, or final where none is named. */
  reach(taskId: unknown, ...statuses: readonly string[]): Promise<JsonObject>;
}

/** A client of the stateless wire, which declares the extension in each request. */
export interface PublishedClient extends TaskClient {
  readonly client: PerRequestClient;
  listen(taskIds: readonly unknown[]): Promise<EventStream>;
}

/** A client of a session. */
export interface SessionTaskClient extends TaskClient {
  readonly session: SessionClient;
  start(method: string, params?: JsonObject): Call;
}

/** Makes a client of the published extension. */
export function publishedClient(
  url: string,
  { headers = {}, capabilities = TASK_CLIENT }: Omit<SessionParts, 'version'> = {},
): PublishedClient {
  const client = perRequest(url, { headers, capabilities });
  const send = (method: string, params: JsonObject = {}) => client.request(method, params);
  return { ...follow(send), client, listen: (taskIds) => client.listen({ taskIds }) };
}

interface SessionParts {
  readonly version?: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly capabilities?: JsonObject;
}

/** Makes a client of a session that declared the extension. */
export async function serviceClient(url: string, parts: SessionParts = {}): Promise<SessionTaskClient> {
  const session = await initialize(url, { capabilities: TASK_CLIENT, ...parts });
  return followIn(session);
}

/** Makes a client of 2025-11-25, which asks for each task. */
export async function coreClient(
  url: string,
  { task = {}, ...parts }: SessionParts & { readonly task?: JsonObject } = {},
): Promise<SessionTaskClient> {
  const { extensions: _extensions, ...capabilities } = TASK_CLIENT;
  const session = await initialize(url, { capabilities, ...parts });
  return followIn(session, { task });
}

/** Makes a client whose answers, and all else, come on the one stream of HTTP+SSE. */
export function sseTaskClient(client: SseClient, always: JsonObject = {}): TaskClient {
  const send: TaskClient['send'] = async (method, params) => {
    const id = await client.send(method, params);
    // Several may wait at once, and whoever looks for the next message passes over those of others.
    const isResponse = (message: Message) => message.id === id && message.method === undefined;
    const response = await until(() => client.stream.messages.find(isResponse), 'the response');
    const { result } = response;
    return {
      status: 200,
      headers: client.stream.headers,
      notifications: [],
      response,
      ...(result && { result }),
    };
  };
  return follow(send, always);
}

function followIn(session: SessionClient, always: JsonObject = {}): SessionTaskClient {
  const send = (method: string, params?: JsonObject) => session.request(method, params);
  return {
    ...follow(send, always),
    session,
    start: (method, params) => session.start(method, params),
  };
}

function follow(send: TaskClient['send'], always: JsonObject = {}): TaskClient {
  const call: TaskClient['call'] = (name, given = {}, params = {}) =>
    send('tools/call', { name, arguments: given, ...always, ...params });
  const get = async (taskId: unknown) => getResult(await send('tasks/get', { taskId }));
  return {
    call,
    send,
    get,
    create: async (...parts) => {
      const result = getResult(await call(...parts));
      return (result['task'] as JsonObject | undefined) ?? result;
    },
    reach: (taskId, ...statuses) => {
      const awaited = statuses.length === 0 ? FINAL : statuses;
      return until(
        async () => {
          const task = await get(taskId);
          return awaited.includes(task['status']) && task;
        },
        `a task that is ${awaited.join(' or ')}`,
      );
    },
  };
}

function getResult({ status, result, response }: Answer): JsonObject {
  if (result !== undefined) return result;
  throw new Error(`Expected a result, got ${status} ${JSON.stringify(response)}`);
}

/** The first text of a tool's result, wherever it is in what a task says. */
export function textOfTask(task: JsonObject): string {
  const { content } = (task['result'] ?? task) as { content?: readonly { text?: string }[] };
  return content?.[0]?.text ?? '';
}
