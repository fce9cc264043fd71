import type { Client, ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createAuthorizedFetch, type TokenSource } from '../../client/authorization/index.js';
import { limitLists } from '../../core/network/limit-lists.js';
import { settleWithin } from '../../core/waiting/settle-within.js';
import { readOwnPackage } from '../../core/package/own-package.js';
import { GOODBYE_MS } from './goodbye-ms.js';
import { createHeaderFetch } from './header-fetch.js';
import type { LimitWaiting } from './limit-waiting.js';
import { loadOfficialClient, type OfficialClient } from './official-client.js';
import type { ServerOptions } from './server-options.js';
import { createServerFetch } from './server-fetch.js';
import { createTokenlessFetch } from './tokenless-fetch.js';

/** A connection that is about to be made. */
export interface ClientSetup {
  readonly server: ServerOptions;
  /** Who gives tokens; absent if the server is called without. */
  readonly tokenSource: TokenSource | undefined;
  /** Milliseconds that a request of the official client may take, with all that comes between. */
  readonly patienceMs: number;
  /** Waits for a server that limits requests. */
  readonly waiting: LimitWaiting;
  /** What the client says that it can do. @default nothing */
  readonly capabilities?: ClientOptions['capabilities'];
  /** Adds what answers the server, before it can ask. */
  readonly prepare?: (client: Client) => void;
}

/** A connected client, and its package. */
export interface ConnectedClient {
  readonly client: Client;
  readonly sdk: OfficialClient;
}

/** Does work with a client that is connected, and lets the connection go. */
export async function withClient<Result>(
  setup: ClientSetup,
  work: (connected: ConnectedClient) => Promise<Result>,
): Promise<Result> {
  const { server, capabilities = {}, prepare } = setup;
  const sdk = await loadOfficialClient();
  const client = new sdk.Client(
    { name: 'nestjs-mcp', version: readOwnPackage().version },
    { capabilities, versionNegotiation: { mode: 'auto' } },
  );
  limitLists(client, server.url.href, server.responseLimit);
  prepare?.(client);
  const send = createSend(setup, createHeaderFetch(createServerFetch(server), server.headers));
  const transport = new sdk.StreamableHTTPClientTransport(server.url, {
    fetch: setup.waiting.createFetch(send),
  });
  const notices = keepNotices(transport);
  try {
    await client.connect(transport, { timeout: setup.patienceMs });
    return await work({ client, sdk });
  } finally {
    await settleWithin(sayGoodbye(transport, notices), GOODBYE_MS);
    await client.close();
  }
}

/** Creates what brings a token along. Who says by a header who calls has the answer as it is. */
export function createSend(
  { server, tokenSource }: Pick<ClientSetup, 'server' | 'tokenSource'>,
  send: typeof fetch,
): typeof fetch {
  if (tokenSource !== undefined) {
    const { url: serverUrl, insecureHosts, responseLimit } = server;
    const { maximumBytes: maximumResponseBytes } = responseLimit;
    return createAuthorizedFetch({
      serverUrl,
      insecureHosts,
      maximumResponseBytes,
      tokenSource,
      fetch: send,
    });
  }
  return server.headers['authorization'] === undefined ? createTokenlessFetch(send) : send;
}

/** A server may keep its sessions, be silent or gone: none of it changes what was done. */
async function sayGoodbye(
  transport: StreamableHTTPClientTransport,
  notices: ReadonlySet<Promise<void>>,
): Promise<void> {
  await Promise.allSettled(notices);
  await transport.terminateSession().catch(() => undefined);
}

/** Tracks messages that nobody awaits, such as a cancellation. Without this, a message on its way would be lost when the client closes. */
function keepNotices(transport: StreamableHTTPClientTransport): ReadonlySet<Promise<void>> {
  const notices = new Set<Promise<void>>();
  const send = transport.send.bind(transport);
  transport.send = (message, options) => {
    const sending = send(message, options);
    if ('id' in message) return sending;
    notices.add(sending);
    const forget = () => void notices.delete(sending);
    sending.then(forget, forget);
    return sending;
  };
  return notices;
}
