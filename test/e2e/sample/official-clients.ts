import {
  Client as ClientV2,
  StreamableHTTPClientTransport as TransportV2,
} from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';

/** What the desk's specs do with a connected client, whichever version of the SDK it is from. */
export interface Connection {
  readonly revision: string | undefined;
  /** The URIs of all `resources/updated` so far. */
  readonly updates: readonly string[];
  listTools(): Promise<string[]>;
  listResources(): Promise<string[]>;
  listTemplates(): Promise<string[]>;
  listPrompts(): Promise<string[]>;
  call(name: string, input: Record<string, unknown>, options?: CallOptions): Promise<ToolOutcome>;
  read(uri: string): Promise<string>;
  completePrompt(name: string, argument: string, value: string): Promise<string[]>;
  completeTemplate(uri: string, argument: string, value: string): Promise<string[]>;
  getPrompt(name: string, input: Record<string, string>): Promise<string>;
  subscribe(uri: string): Promise<void>;
  close(): Promise<void>;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly onprogress?: (progress: { progress: number; total?: number | undefined }) => void;
}

export interface ToolOutcome {
  readonly isError?: boolean | undefined;
  readonly structuredContent?: unknown;
  readonly content?: unknown;
}

const IDENTITY = { name: 'e2e', version: '1.0.0' };
const names = (listed: readonly { name: string }[]) => listed.map(({ name }) => name);

/** Connects the client of `@modelcontextprotocol/sdk`. */
export async function connectV1(url: string): Promise<Connection> {
  const client = new ClientV1(IDENTITY);
  const transport = new TransportV1(new URL(url));
  const updates: string[] = [];
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => {
    updates.push(params.uri);
  });
  await client.connect(transport);
  return {
    ...describeClient(client),
    revision: transport.protocolVersion,
    updates,
    call: async (name, input, options) =>
      (await client.callTool({ name, arguments: input }, undefined, options)) as ToolOutcome,
    subscribe: async (uri) => void (await client.subscribeResource({ uri })),
  };
}

/** Connects the client of `@modelcontextprotocol/client`, which probes for the newest revision unless told to shake hands. */
export async function connectV2(url: string, mode: 'auto' | 'legacy'): Promise<Connection> {
  const client = new ClientV2(IDENTITY, { versionNegotiation: { mode } });
  const updates: string[] = [];
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
    updates.push(params.uri);
  });
  await client.connect(new TransportV2(new URL(url)));
  return {
    ...describeClient(client),
    revision: client.getNegotiatedProtocolVersion(),
    updates,
    call: (name, input, options) => client.callTool({ name, arguments: input }, options),
    subscribe: async (uri) => {
      if (mode === 'auto') await client.listen({ resourceSubscriptions: [uri] });
      else await client.subscribeResource({ uri });
    },
  };
}

/** What both clients name alike. */
function describeClient(client: ClientV1 | ClientV2) {
  return {
    listTools: async () => names((await client.listTools()).tools),
    listPrompts: async () => names((await client.listPrompts()).prompts),
    listResources: async () => (await client.listResources()).resources.map(({ uri }) => uri),
    listTemplates: async () =>
      (await client.listResourceTemplates()).resourceTemplates.map(({ uriTemplate }) => uriTemplate),
    read: async (uri: string) => {
      const [contents] = (await client.readResource({ uri })).contents;
      return contents !== undefined && 'text' in contents ? contents.text : '';
    },
    completePrompt: async (name: string, argument: string, value: string) => {
      const ref = { type: 'ref/prompt', name } as const;
      return (await client.complete({ ref, argument: { name: argument, value } })).completion.values;
    },
    completeTemplate: async (uri: string, argument: string, value: string) => {
      const ref = { type: 'ref/resource', uri } as const;
      return (await client.complete({ ref, argument: { name: argument, value } })).completion.values;
    },
    getPrompt: async (name: string, input: Record<string, string>) =>
      JSON.stringify((await client.getPrompt({ name, arguments: input })).messages),
    close: () => client.close(),
  };
}
