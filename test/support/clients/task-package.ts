import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import {
  createTaskSessionFromClient,
  type RawClientDispatch,
  type TaskEnabledSession,
  type WithTasksOptions,
} from '@modelcontextprotocol/ext-tasks/client';
import type { JsonValue } from '@modelcontextprotocol/ext-tasks/core';
import { PER_REQUEST_VERSION } from './json-rpc.js';
import type { JsonObject } from './message.js';
import { publishedClient, TASK_CLIENT, type PublishedClient } from './task-wires.js';

const INFO = { name: 'reader', version: '1.0.0' };

/** The official client v2 with the package of the extension, which drives tasks. */
export interface TaskPackageClient {
  readonly session: TaskEnabledSession;
  close(): Promise<void>;
}

type Options = Pick<WithTasksOptions, 'onInputRequest'>;

/** Connects one in a session. */
export async function connectInSession(url: string, options: Options = {}): Promise<TaskPackageClient> {
  const client = new Client(INFO, {
    versionNegotiation: { mode: 'legacy' },
    capabilities: { elicitation: {} },
  });
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { fetch: fetchHere }));
  return keep(client, createTaskSessionFromClient(client, { endpointId: 'desk', ...options }));
}

/** Connects one of the stateless wire. */
export async function connectStateless(url: string, options: Options = {}): Promise<TaskPackageClient> {
  const client = new Client(INFO, {
    versionNegotiation: { mode: { pin: PER_REQUEST_VERSION } },
    capabilities: TASK_CLIENT,
  });
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { fetch: fetchHere }));
  const session = createTaskSessionFromClient(client, {
    endpointId: 'desk',
    rawDispatch: (request) => dispatch(publishedClient(url), request as never),
    v2RequestFraming: {
      protocolVersion: PER_REQUEST_VERSION,
      clientInfo: INFO,
      clientCapabilities: TASK_CLIENT,
    },
    ...options,
  });
  return keep(client, session);
}

function keep(client: Client, session: TaskEnabledSession): TaskPackageClient {
  return {
    session,
    close: async () => {
      await session.close();
      await client.close();
    },
  };
}

/** Fetches as ever; the package takes JSON alone whose prototypes are those of its own realm, which a test runner sets apart. */
export async function fetchHere(...request: Parameters<typeof fetch>): Promise<Response> {
  const response = await fetch(...request);
  return Object.defineProperty(response, 'json', { value: async () => JSON.parse(await response.text()) });
}

/** Sends what the package has framed, as a host does that coordinates its requests itself. */
async function dispatch(
  client: PublishedClient,
  { method, params }: { readonly method: string; readonly params: JsonObject },
): Promise<Awaited<ReturnType<RawClientDispatch>>> {
  const { result, error } = await client.send(method, params);
  if (error !== undefined) return { kind: 'error', error: error as never };
  return { kind: 'result', result: result as JsonValue };
}
