import type { Client, ClientOptions } from '@modelcontextprotocol/client';
import type { TokenSource } from '../../lib/client/authorization/index.js';
import { limitLists } from '../../lib/core/network/limited-fetch.js';
import { readOwnPackage } from '../../lib/core/package/own-package.js';
import type { Terminal } from '../command.interface.js';
import { nameServer, type CalledServer } from './called-server.js';
import type { LimitWaiting } from './limit-waiting.js';

/** The official client's package, which is slow to load. */
export type OfficialClient = typeof import('@modelcontextprotocol/client');

/** How to connect to a server. */
export interface ClientSetup<Server extends CalledServer = CalledServer> {
  readonly server: Server;
  readonly terminal: Pick<Terminal, 'complain'>;
  /** The source of access tokens; absent if requests carry none. */
  readonly tokenSource: TokenSource | undefined;
  /** A request's timeout in milliseconds, including logins and retries. */
  readonly requestTimeoutMs: number;
  /** Waits while the server is rate limiting requests. */
  readonly waiting: LimitWaiting;
  /** The capabilities that the client declares. @default none */
  readonly capabilities?: ClientOptions['capabilities'];
  /** Registers request handlers before the client connects. */
  readonly prepare?: (client: Client) => void;
  /** Aborted by Ctrl-C, if the caller handles it. @default Ctrl-C ends the command */
  readonly interrupted?: AbortSignal;
}

/** A connection to a server over any transport. */
export interface ClientLink {
  /** The last lines that the server wrote to standard error. */
  readonly log: readonly string[];
  /** Aborted by a signal that ends the command. */
  readonly ended: AbortSignal | undefined;
  /** Connects a client. */
  connect(): Promise<Client>;
  /** Explains an error based on the connection's state. */
  explain(error: unknown): unknown;
  /** Closes the connection. */
  close(): Promise<void>;
}

/** Creates a command's client. */
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
