import {
  Client as ClientV2,
  SSEClientTransport as SseV2,
  StreamableHTTPClientTransport as HttpV2,
  type VersionNegotiationMode,
} from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport as SseV1 } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  CallToolResultSchema,
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  LoggingMessageNotificationSchema,
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { PER_REQUEST_VERSION } from '../../support/clients/json-rpc.js';
import { textOfCall } from '../../support/clients/tools.js';

const NAME = { name: 'guest', version: '1.0.0' };
const CAPABILITIES = { elicitation: { form: {} }, sampling: {}, roots: { listChanged: true } };
const ELICITED = { action: 'accept' as const, content: { word: 'verso' } };
const SAMPLED = { role: 'assistant' as const, model: 'm', content: { type: 'text' as const, text: 'verso' } };
const ROOTS = { roots: [{ uri: 'file:///verso' }] };

/** Comes back at once, and as often as it takes. */
const reconnectionOptions = {
  initialReconnectionDelay: 50,
  maxReconnectionDelay: 200,
  reconnectionDelayGrowFactor: 1,
  maxRetries: 500,
};

export interface CallParts {
  readonly onProgress?: (progress: number) => void;
  readonly signal?: AbortSignal;
  /** Hears that the client can come back for the answer. */
  readonly onToken?: () => void;
}

/** An official client. What it is asked it answers with the word "verso". */
export interface OfficialClient {
  /** What it was told, in order: the data of log entries. */
  readonly entries: readonly unknown[];
  /** The URIs of resources that it was told of, in order. */
  readonly updates: readonly string[];
  readonly toolChanges: number;
  readonly version: string | undefined;
  /** Whether it hears what all are told. */
  readonly isListening: boolean;
  call(name: string, given?: Record<string, unknown>, parts?: CallParts): Promise<string>;
  /** Calls a tool as a task of 2025-11-25, and waits for its result. */
  callAsTask?(name: string, given: Record<string, unknown>): Promise<string>;
  listTools(): Promise<readonly string[]>;
  subscribe(uri: string): Promise<unknown>;
  setLevel(level: 'info' | 'error'): Promise<unknown>;
  /** Ends the session by DELETE, if there is one. */
  terminate(): Promise<void>;
  close(): Promise<void>;
}

/** An official client by its generation, its transport and the revision that it speaks. */
export interface ClientKind {
  readonly kind: string;
  readonly wire: 'session' | 'sse' | 'stateless';
  connect(origin: string): Promise<OfficialClient>;
}

export const KINDS: readonly ClientKind[] = [
  { kind: 'v1 over streamable HTTP', wire: 'session', connect: (origin) => connectV1(origin, false) },
  { kind: 'v1 over HTTP+SSE', wire: 'sse', connect: (origin) => connectV1(origin, true) },
  { kind: 'v2 in a session', wire: 'session', connect: (origin) => connectV2(origin, 'legacy') },
  { kind: 'v2 over HTTP+SSE', wire: 'sse', connect: (origin) => connectV2(origin, 'legacy', true) },
  {
    kind: 'v2 of 2026-07-28',
    wire: 'stateless',
    connect: (origin) => connectV2(origin, { pin: PER_REQUEST_VERSION }),
  },
  { kind: 'v2 that finds out', wire: 'stateless', connect: (origin) => connectV2(origin, 'auto') },
];

/** What a client was told. */
class Told {
  readonly entries: unknown[] = [];
  readonly updates: string[] = [];
  toolChanges = 0;
}

/** Knows whether the standing stream is open. */
class WatchedFetch {
  isListening = false;

  readonly fetch = async (url: string | URL, init: RequestInit = {}): Promise<Response> => {
    const response = await fetch(url, init);
    if ((init.method ?? 'GET') === 'GET' && response.ok) this.isListening = true;
    return response;
  };
}

async function connectV1(origin: string, isSse: boolean): Promise<OfficialClient> {
  const told = new Told();
  const watched = new WatchedFetch();
  const client = new ClientV1(NAME, { capabilities: CAPABILITIES });
  client.setRequestHandler(ElicitRequestSchema, () => ELICITED);
  client.setRequestHandler(CreateMessageRequestSchema, () => SAMPLED);
  client.setRequestHandler(ListRootsRequestSchema, () => ROOTS);
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => {
    told.entries.push(params.data);
  });
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => {
    told.updates.push(params.uri);
  });
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => void (told.toolChanges += 1));
  const { fetch } = watched;
  const transport = isSse
    ? new SseV1(new URL(`${origin}/sse`))
    : new HttpV1(new URL(`${origin}/mcp`), { fetch, reconnectionOptions });
  await client.connect(transport);
  return {
    get entries() {
      return told.entries;
    },
    get updates() {
      return told.updates;
    },
    get toolChanges() {
      return told.toolChanges;
    },
    get isListening() {
      return isSse || watched.isListening;
    },
    version: transport instanceof HttpV1 ? transport.protocolVersion : undefined,
    call: async (name, given = {}, { onProgress, onToken, signal } = {}) =>
      textOfCall(
        await client.callTool({ name, arguments: given }, undefined, {
          ...(onProgress && { onprogress: ({ progress }) => onProgress(progress) }),
          ...(onToken && { onresumptiontoken: onToken }),
          ...(signal && { signal }),
        }),
      ),
    callAsTask: async (name, given) => {
      const params = { name, arguments: given };
      const stream = client.experimental.tasks.callToolStream(params, CallToolResultSchema, { task: {} });
      for await (const message of stream) {
        if (message.type === 'result') return textOfCall(message.result);
        if (message.type === 'error') throw message.error;
      }
      throw new Error('The task has no result');
    },
    listTools: async () => (await client.listTools()).tools.map(({ name }) => name),
    subscribe: (uri) => client.subscribeResource({ uri }),
    setLevel: (level) => client.setLoggingLevel(level),
    terminate: async () => {
      if (transport instanceof HttpV1) await transport.terminateSession();
    },
    close: () => client.close(),
  };
}

async function connectV2(
  origin: string,
  mode: VersionNegotiationMode,
  isSse = false,
): Promise<OfficialClient> {
  const told = new Told();
  const watched = new WatchedFetch();
  const client = new ClientV2(NAME, {
    capabilities: CAPABILITIES,
    versionNegotiation: { mode },
    listChanged: { tools: { onChanged: () => void (told.toolChanges += 1), debounceMs: 0 } },
  });
  client.setRequestHandler('elicitation/create', () => ELICITED);
  client.setRequestHandler('sampling/createMessage', () => SAMPLED);
  client.setRequestHandler('roots/list', () => ROOTS);
  client.setNotificationHandler('notifications/message', ({ params }) => {
    told.entries.push(params.data);
  });
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
    told.updates.push(params.uri);
  });
  const { fetch } = watched;
  const transport = isSse
    ? new SseV2(new URL(`${origin}/sse`))
    : new HttpV2(new URL(`${origin}/mcp`), { fetch, reconnectionOptions });
  await client.connect(transport);
  const isStateless = client.getProtocolEra() !== 'legacy';
  return {
    get entries() {
      return told.entries;
    },
    get updates() {
      return told.updates;
    },
    get toolChanges() {
      return told.toolChanges;
    },
    get isListening() {
      return isSse || watched.isListening || client.autoOpenedSubscription !== undefined;
    },
    version: client.getNegotiatedProtocolVersion(),
    call: async (name, given = {}, { onProgress, onToken, signal } = {}) =>
      textOfCall(
        await client.callTool(
          { name, arguments: given },
          {
            ...(onProgress && { onprogress: ({ progress }) => onProgress(progress) }),
            ...(onToken && { onresumptiontoken: onToken }),
            ...(signal && { signal }),
          },
        ),
      ),
    listTools: async () => (await client.listTools()).tools.map(({ name }) => name),
    subscribe: (uri) =>
      isStateless ? client.listen({ resourceSubscriptions: [uri] }) : client.subscribeResource({ uri }),
    setLevel: (level) => client.setLoggingLevel(level),
    terminate: async () => {
      if (transport instanceof HttpV2) await transport.terminateSession();
    },
    close: () => client.close(),
  };
}
