import type { Client, ClientOptions } from '@modelcontextprotocol/client';
import type { TokenSource } from '../../lib/client/authorization/index.js';
import { limitLists } from '../../lib/core/network/limit-lists.js';
import { readOwnPackage } from '../../lib/core/package/own-package.js';
import type { Terminal } from '../command.interface.js';
import { nameServer, type CalledServer } from './called-server.js';
import type { LimitWaiting } from './limit-waiting.js';

/** The official client, which takes long to load. */
export type OfficialClient = typeof import('@modelcontextprotocol/client');

/** A connection that is about to be made. */
export interface ClientSetup<Server extends CalledServer = CalledServer> {
  readonly server: Server;
  readonly terminal: Pick<Terminal, 'complain'>;
  /** Who gives tokens; absent if the server is called without. */
  readonly tokenSource: TokenSource | undefined;
  /** Milliseconds that a request of the official client may take, with all that comes between. */
  readonly requestTimeoutMs: number;
  /** Waits for a server that limits requests. */
  readonly waiting: LimitWaiting;
  /** What the client says that it can do. @default nothing */
  readonly capabilities?: ClientOptions['capabilities'];
  /** Adds what answers the server, before it can ask. */
  readonly prepare?: (client: Client) => void;
  /** Is aborted by Ctrl-C, if the work itself takes it. @default Ctrl-C ends the command */
  readonly interrupted?: AbortSignal;
}

/** What leads to a server, over whichever transport. */
export interface ClientLink {
  /** The last lines that the server wrote beside its answers. */
  readonly log: readonly string[];
  /** Is aborted if the command is to end before its work is done. */
  readonly ended: AbortSignal | undefined;
  /** Connects a client. */
  connect(): Promise<Client>;
  /** Explains an error by what is known of the link. */
  explain(error: unknown): unknown;
  /** Lets the connection go. */
  close(): Promise<void>;
}

/** Creates the client of a command. */
export function createClient(
  { server, capabilities = {}, prepare }: ClientSetup,
  sdk: OfficialClient,
  versionNegotiation: NonNullable<ClientOptions['versionNegotiation']>,
): Client {
  const clientInfo = { name: 'nestjs-mcp', version: readOwnPackage().version };
  const client = new sdk.Client(clientInfo, { capabilities, versionNegotiation });
  limitLists(client, nameServer(server), server.responseLimit);
  prepare?.(client);
  return client;
}
