import type { Client, StreamableHTTPClientTransport, Transport } from '@modelcontextprotocol/client';
import { ClientAuthError, createAuthorizedFetch } from '../../lib/client/authorization/index.js';
import { ProbeError } from '../../lib/core/doctor/probe/probe-wire.js';
import { mayBeHttpSse, requestMessageEndpoint } from '../../lib/core/protocol/http-sse.js';
import { isObject } from '../../lib/core/protocol/json-rpc.js';
import { settleWithin } from '../../lib/core/async/timeouts.js';
import { createClient, type ClientLink, type ClientSetup, type OfficialClient } from './client-link.js';
import { CLOSING_TIMEOUT_MS } from './closing-timeout.js';
import { createHeaderFetch } from './header-fetch.js';
import { createServerFetch } from './server-fetch.js';
import type { ServerOptions } from './server-options.js';

/** Thrown if a server requires a token, and its URL is not secure. */
class TokenUnsentError extends ClientAuthError {
  override readonly name = 'TokenUnsentError';
  readonly code = 'token_unsent';

  constructor() {
    super(
      '401 Unauthorized: the server requires a token, and tokens are sent to other machines only over HTTPS',
    );
  }
}

/** Creates a `fetch` without a token, which fails if the server requires one. */
function createTokenlessFetch(send: typeof fetch): typeof fetch {
  return async (input, init) => {
    const response = await send(input, init);
    if (response.status === 401) throw new TokenUnsentError();
    return response;
  };
}

/** Connects to a server at a URL: over Streamable HTTP, or over HTTP+SSE if the server supports nothing newer. */
export class HttpLink implements ClientLink {
  readonly log = [];
  readonly ended = undefined;
  #close: () => Promise<void> = async () => undefined;

  constructor(
    private readonly setup: ClientSetup<ServerOptions>,
    private readonly sdk: OfficialClient,
  ) {}

  async connect(): Promise<Client> {
    const { setup, sdk } = this;
    const transport = new sdk.StreamableHTTPClientTransport(setup.server.url, { fetch: this.#createFetch() });
    const pending = trackNotifications(transport);
    const client = createClient(setup, sdk, { mode: 'auto' });
    this.#close = async () => {
      await settleWithin(terminateSession(transport, pending), CLOSING_TIMEOUT_MS);
      await client.close();
    };
    try {
      await client.connect(transport, this.#options);
      return client;
    } catch (error) {
      const endpoint = await this.#findMessageEndpoint(error);
      if (endpoint === undefined) throw error;
      await this.close();
      return this.#connectHttpSse(endpoint);
    }
  }

  explain(error: unknown): unknown {
    return error;
  }

  close(): Promise<void> {
    const close = this.#close;
    this.#close = async () => undefined;
    return close();
  }

  async #connectHttpSse(endpoint: URL): Promise<Client> {
    const { setup, sdk } = this;
    const { url } = setup.server;
    const transport = new sdk.SSEClientTransport(url, { fetch: this.#createFetch([endpoint]) });
    const pending = trackNotifications(transport);
    const client = createClient(setup, sdk, { mode: 'legacy' });
    this.#close = async () => {
      await settleWithin(Promise.allSettled(pending), CLOSING_TIMEOUT_MS);
      await client.close();
    };
    const { requestTimeoutMs } = setup;
    if (!(await settleWithin(client.connect(transport, this.#options), requestTimeoutMs)))
      throw new ProbeError(`did not respond within ${requestTimeoutMs} ms`);
    this.#closeWithStream(transport, client);
    return client;
  }

  /** The official transport reconnects, but responses to earlier requests cannot arrive on the new stream. */
  #closeWithStream(transport: Transport, client: Client): void {
    const { onerror } = transport;
    transport.onerror = (error) => {
      onerror?.(error);
      if (error instanceof this.sdk.SseError) void client.close();
    };
  }

  get #options() {
    const { requestTimeoutMs: timeout, interrupted: signal } = this.setup;
    return { timeout, ...(signal && { signal }) };
  }

  #createFetch(alsoAt: readonly URL[] = []): typeof fetch {
    const { server, waiting } = this.setup;
    const send = createHeaderFetch(createServerFetch(server), server.headers);
    return waiting.createFetch(createSend(this.setup, send, alsoAt));
  }

  async #findMessageEndpoint(error: unknown): Promise<URL | undefined> {
    const { url, timeoutMs } = this.setup.server;
    return mayBeHttpSse(findStatus(error))
      ? requestMessageEndpoint(url, this.#createFetch(), timeoutMs)
      : undefined;
  }
}

/**
 * Creates a `fetch` that sends a token. With an `Authorization` header, responses are passed on unchanged.
 *
 * @param alsoAt further URLs of the server
 */
export function createSend(
  { server, tokenSource }: Pick<ClientSetup<ServerOptions>, 'server' | 'tokenSource'>,
  send: typeof fetch,
  alsoAt: readonly URL[] = [],
): typeof fetch {
  if (tokenSource !== undefined) {
    const { url: serverUrl, insecureHosts, responseLimit } = server;
    const { maxBytes: maxResponseBytes } = responseLimit;
    return createAuthorizedFetch({
      serverUrl,
      alsoAt,
      insecureHosts,
      maxResponseBytes,
      tokenSource,
      fetch: send,
    });
  }
  return server.headers['authorization'] === undefined ? createTokenlessFetch(send) : send;
}

function findStatus(error: unknown): unknown {
  const { status, data } = (isObject(error) ? error : {}) as {
    readonly status?: unknown;
    readonly data?: unknown;
  };
  return status ?? (isObject(data) ? data['status'] : undefined);
}

/** Ends the session. A failure is ignored, because the work is done. */
async function terminateSession(
  transport: StreamableHTTPClientTransport,
  pending: ReadonlySet<Promise<void>>,
): Promise<void> {
  await Promise.allSettled(pending);
  await transport.terminateSession().catch(() => undefined);
}

/** Tracks notifications that are being sent, such as a cancellation, so that they are not lost when the client closes. */
function trackNotifications(transport: Transport): ReadonlySet<Promise<void>> {
  const pending = new Set<Promise<void>>();
  const send = transport.send.bind(transport);
  transport.send = (message, options) => {
    const sending = send(message, options);
    if ('id' in message) return sending;
    pending.add(sending);
    const forget = () => void pending.delete(sending);
    sending.then(forget, forget);
    return sending;
  };
  return pending;
}
