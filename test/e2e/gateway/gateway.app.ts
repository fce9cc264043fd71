import type { ModuleMetadata } from '@nestjs/common';
import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { McpModule, type McpOptions } from 'nestjs-mcp';
import { McpGateway, McpGatewayModule, type GatewayServerOptions } from 'nestjs-mcp/gateway';
import { resolve } from 'node:path';
import { bootApp, type AdapterName, type RunningApp } from '../../support/applications/boot.js';
import { until } from '../../support/until.js';

/** A server of the official SDK over stdio. */
export const NOTES = {
  command: process.execPath,
  args: [resolve('test/support/gateway/notes-server.mjs')],
} satisfies GatewayServerOptions;

export interface RunningGateway extends RunningApp {
  readonly gateway: McpGateway;
  /** Waits until the lists of servers have been read. */
  ready(...servers: readonly string[]): Promise<void>;
}

export interface BootedGateway extends ModuleMetadata {
  readonly adapter?: AdapterName;
  readonly options?: Partial<McpOptions>;
  readonly servers: { readonly [name: string]: GatewayServerOptions };
}

/** Starts an application that offers other servers. */
export async function bootGateway(given: BootedGateway): Promise<RunningGateway> {
  const { adapter = 'express', options, servers, imports = [], providers = [] } = given;
  const running = await bootApp({
    adapter,
    imports: [
      McpModule.forRoot({ serverInfo: { name: 'front', version: '1.0.0' }, ...options }),
      McpGatewayModule.forRoot({ servers }),
      ...imports,
    ],
    providers,
  });
  const gateway = running.app.get(McpGateway);
  const ready = async (...names: readonly string[]) => {
    const isReady = () =>
      gateway.servers.every(({ name, state }) => !names.includes(name) || state === 'ready');
    // Processes are slow to start where many tests run.
    await until(isReady, () => JSON.stringify(gateway.servers), 30_000);
  };
  return Object.assign(running, { gateway, ready });
}

/** What the tests use of both official clients. */
export type FrontClient = Pick<
  ClientV2,
  | 'callTool'
  | 'listTools'
  | 'listResources'
  | 'listResourceTemplates'
  | 'listPrompts'
  | 'readResource'
  | 'getPrompt'
  | 'complete'
  | 'close'
  | 'setRequestHandler'
  | 'setNotificationHandler'
>;

const CAPABILITIES = { elicitation: { form: {} }, sampling: {}, roots: {} };

/** The official clients, and the revisions that they negotiate. */
export const FRONTS: readonly (readonly [string, (url: string) => Promise<ClientV1 | ClientV2>])[] = [
  [
    'v1 (2025-11-25)',
    async (url) => {
      const client = new ClientV1({ name: 'front', version: '1.0.0' }, { capabilities: CAPABILITIES });
      await client.connect(new HttpV1(new URL(url)));
      return client;
    },
  ],
  [
    'v2 (2026-07-28)',
    async (url) => {
      const client = new ClientV2(
        { name: 'front', version: '1.0.0' },
        { capabilities: CAPABILITIES, versionNegotiation: { mode: { pin: '2026-07-28' } } },
      );
      await client.connect(new HttpV2(new URL(url)));
      return client;
    },
  ],
];

/** Returns the first text of a result. */
export function textOf(result: unknown): string | undefined {
  const { content } = result as { readonly content: readonly { readonly text?: string }[] };
  return content[0]?.text;
}

/** What a user and a model respond, as both official clients handle it. */
const RESPONSES: { readonly [method: string]: unknown } = {
  'How long in Berlin?': { action: 'accept', content: { nights: 3, room: 'single', extras: [] } },
  'Who comes?': { action: 'accept', content: { name: 'Ada' } },
  'Which note?': { action: 'accept', content: { note: 'one' } },
  'How was it?': { action: 'accept', content: { stars: 5 } },
};

/** Makes a client respond to all input requests, and returns the elicitations that it received. */
export async function respond(client: FrontClient): Promise<string[]> {
  const asked: string[] = [];
  const elicit = ({ params }: { params: { message: string } }) => {
    asked.push(params.message);
    return RESPONSES[params.message] ?? { action: 'decline' };
  };
  const sample = () => ({ role: 'assistant', model: 'parrot', content: { type: 'text', text: 'hello' } });
  const roots = () => ({ roots: [{ uri: 'file:///srv/reports', name: 'reports' }] });
  const handlers: [string, unknown][] = [
    ['elicitation/create', elicit],
    ['sampling/createMessage', sample],
    ['roots/list', roots],
  ];
  if ('getProtocolEra' in client) {
    for (const [method, handle] of handlers) client.setRequestHandler(method as never, handle as never);
    return asked;
  }
  const schemas = await import('@modelcontextprotocol/sdk/types.js');
  const v1 = client as unknown as { setRequestHandler(schema: object, handle: unknown): void };
  v1.setRequestHandler(schemas.ElicitRequestSchema, elicit);
  v1.setRequestHandler(schemas.CreateMessageRequestSchema, sample);
  v1.setRequestHandler(schemas.ListRootsRequestSchema, roots);
  return asked;
}
