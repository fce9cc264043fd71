import type { AuthOptions } from 'nestjs-mcp';
import { ADAPTERS, type AdapterName, type RunningApp } from './boot.js';
import { bootServer, type ServerParts } from './server.js';
import type { Call } from '../clients/call.js';
import { initialize, perRequest } from '../clients/json-rpc.js';
import type { JsonObject } from '../clients/message.js';

/** By what URL clients know the desk. */
export const RESOURCE = 'https://desk.example.com/mcp';

/** Where challenges send clients. */
export const METADATA = 'https://desk.example.com/.well-known/oauth-protected-resource/mcp';

/** Callers of the desk by fixed tokens. */
export const CALLERS = {
  ada: { token: 'fixed-token-of-ada-4f1c', subject: 'ada', scopes: ['desk:read', 'desk:write'] },
  bob: { token: 'fixed-token-of-bob-9e2d', subject: 'bob', scopes: ['desk:read'] },
  eve: { token: 'fixed-token-of-eve-7a3b', subject: 'eve', scopes: [] },
} as const;

/** What makes the desk tell clients where to get tokens. */
export const PUBLISHED = {
  resourceUri: RESOURCE,
  authorizationServers: ['https://login.example.com'],
} as const satisfies AuthOptions;

/** The header of a caller with a token; none without one. */
export function authorize(token?: string): { authorization?: string } {
  return token === undefined ? {} : { authorization: `Bearer ${token}` };
}

/** Gives the text of a tool's result. */
export function textOf(result: JsonObject): string {
  const [content] = result['content'] as readonly { readonly text: string }[];
  return content?.text ?? '';
}

/** What a desk consists of. */
export interface DeskParts extends Omit<ServerParts, 'adapter'> {
  readonly auth?: AuthOptions;
}

/** Starts a desk that asks for the tokens of {@link CALLERS}, where nothing else is said. */
export function bootDesk(adapter: AdapterName, parts: DeskParts = {}): Promise<RunningApp> {
  const { auth = { bearer: Object.values(CALLERS) }, options, ...rest } = parts;
  return bootServer({ ...rest, adapter, options: { auth, ...options } });
}

/** Calls a method as one caller. */
export type Caller = (method: string, params?: JsonObject) => Call;

/** One of the two ways in which a client reaches a server. */
export interface Wire {
  readonly wire: string;
  /** Gets ready to call, with a token or without. */
  readonly connect: (url: string, token?: string) => Promise<Caller>;
}

const WIRES: readonly Wire[] = [
  {
    wire: 'in a session',
    connect: async (url, token) => {
      const session = await initialize(url, { headers: authorize(token) });
      return (method, params) => session.start(method, params);
    },
  },
  {
    wire: 'on the stateless wire',
    connect: async (url, token) => {
      const client = perRequest(url, { headers: authorize(token) });
      return (method, params) => client.start(method, params);
    },
  },
];

/** Both ways, on both adapters: `describe.each(WAYS)('… $wire on $adapter', ({ adapter, connect }) => …)`. */
export const WAYS = ADAPTERS.flatMap((adapter) => WIRES.map((wire) => ({ adapter, ...wire })));
