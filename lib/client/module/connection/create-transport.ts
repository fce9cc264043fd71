import type { Transport } from '@modelcontextprotocol/client';
import { createLimitedFetch, type ResponseLimit } from '../../../core/network/limited-fetch.js';
import { ResponseTooLargeError } from '../../../core/network/response-too-large.error.js';
import { ValueMeter } from '../../../core/network/value-meter.js';
import { isAbsent } from '../../../core/package/is-absent.js';
import { requestMessageEndpoint } from '../../../core/protocol/http-sse.js';
import { createAuthorizedFetch } from '../../authorization/authorized-fetch.js';
import { OfficialClientMissingError } from '../errors.js';
import type { ClientSettings } from '../options/client-settings.js';
import type { HttpClientOptions, StdioClientOptions } from '../options/mcp-client-options.js';
import { LinkWatch } from './link-watch.js';

/** The official transport tries a standing stream again as often; then the stream is gone until the next connection. */
const STREAM_RETRIES = { initialReconnectionDelay: 500, maxReconnectionDelay: 10_000, maxRetries: 5 };

/**
 * Creates what carries messages to a server and back.
 *
 * @param messages the URL to which the messages of HTTP+SSE are posted, if the server speaks nothing newer
 */
export async function createTransport(
  settings: ClientSettings,
  sdk: OfficialClient,
  { watch, messages }: { readonly watch: LinkWatch; readonly messages: URL | undefined },
): Promise<Transport> {
  const { name, server, responseLimit } = settings;
  if ('url' in server) return createHttpTransport(server, responseLimit, { sdk, watch, messages });
  const { StdioClientTransport } = await loadOfficialStdio(name);
  const transport = new StdioClientTransport({
    ...buildProcess(server),
    maxBufferSize: responseLimit.maxBytes,
  });
  limitLines(transport, { url: server.command, limit: responseLimit, watch });
  return transport;
}

/**
 * Asks a server that refused a POST for the URL to which the messages of HTTP+SSE are posted.
 *
 * @returns `undefined` if it does not speak HTTP+SSE
 */
export async function requestMessages(
  { name, server, responseLimit, timeoutMs }: ClientSettings,
  signal: AbortSignal,
): Promise<URL | undefined> {
  if (!('url' in server)) return undefined;
  const send = createFetch(server, responseLimit, { watch: new LinkWatch(name), messages: undefined });
  const ask: typeof fetch = (input, init) => {
    const headers = { ...server.headers, ...(init?.headers as { readonly [header: string]: string }) };
    const signals = [signal, ...(init?.signal ? [init.signal] : [])];
    return send(input, { ...init, headers, signal: AbortSignal.any(signals) });
  };
  return requestMessageEndpoint(new URL(server.url), ask, timeoutMs);
}

/** The transport of processes appends what it reads to a buffer that is not public, before it parses lines. */
interface ReadingTransport {
  readonly _readBuffer: { append(chunk: Uint8Array): void };
}

/** Limits the values and levels in the lines of a process. */
function limitLines(
  transport: Transport,
  { url, limit, watch }: { readonly url: string; readonly limit: ResponseLimit; readonly watch: LinkWatch },
): void {
  const { _readBuffer: buffer } = transport as unknown as ReadingTransport;
  const append = buffer.append.bind(buffer);
  const meter = new ValueMeter(limit.maxBytes, 'lines');
  buffer.append = (chunk) => {
    const excess = meter.findExcess(chunk);
    if (excess === undefined) return append(chunk);
    const error = new ResponseTooLargeError({ url, unit: 'response', excess, ...limit });
    watch.lose(error);
    throw error;
  };
}

function createHttpTransport(
  server: HttpClientOptions,
  responseLimit: ResponseLimit,
  { sdk, ...link }: HttpLink & { readonly sdk: OfficialClient },
): Transport {
  const { url, headers } = server;
  const fetch = createFetch(server, responseLimit, link);
  const requestInit = headers && { requestInit: { headers } };
  if (link.messages !== undefined) return new sdk.SSEClientTransport(new URL(url), { fetch, ...requestInit });
  return new sdk.StreamableHTTPClientTransport(new URL(url), {
    fetch,
    reconnectionOptions: { ...STREAM_RETRIES, reconnectionDelayGrowFactor: 2 },
    ...requestInit,
  });
}

/** What is known of the link to a server at a URL. */
interface HttpLink {
  readonly watch: LinkWatch;
  readonly messages: URL | undefined;
}

function createFetch(
  server: HttpClientOptions,
  responseLimit: ResponseLimit,
  { watch, messages }: HttpLink,
): typeof fetch {
  const { url, auth: tokenSource, insecureHosts } = server;
  // A failing token source says nothing about the server.
  const send = watch.watchSending(server.fetch ?? globalThis.fetch);
  const authorized = tokenSource
    ? createAuthorizedFetch({
        serverUrl: url,
        alsoAt: messages === undefined ? [] : [messages],
        tokenSource,
        insecureHosts,
        maxResponseBytes: responseLimit.maxBytes,
        fetch: send,
      })
    : createLimitedFetch(send, responseLimit);
  return watch.watchAnswers(authorized);
}

function buildProcess({ command, args, env, cwd, stderr }: StdioClientOptions) {
  return {
    command,
    ...(args && { args: [...args] }),
    ...(env && { env: { ...env } }),
    ...(cwd !== undefined && { cwd }),
    ...(stderr !== undefined && { stderr }),
  };
}

const PACKAGE = '@modelcontextprotocol/client';

/** The official client, as its package gives it. */
export type OfficialClient = typeof import('@modelcontextprotocol/client');

/** What the official client has for servers that are processes. */
type OfficialStdio = typeof import('@modelcontextprotocol/client/stdio');

/**
 * Loads the official client, which applications that call no server do without.
 *
 * @throws {OfficialClientMissingError} if it is not installed, with the command that installs it
 */
export async function loadOfficialClient(clientName: string): Promise<OfficialClient> {
  // Bundlers see by the "try" around it that a package may be absent.
  try {
    return await import('@modelcontextprotocol/client');
  } catch (cause) {
    throw explain(clientName, cause);
  }
}

/**
 * Loads what starts servers as processes.
 *
 * @throws {OfficialClientMissingError} if it is not installed, with the command that installs it
 */
async function loadOfficialStdio(clientName: string): Promise<OfficialStdio> {
  try {
    return await import('@modelcontextprotocol/client/stdio');
  } catch (cause) {
    throw explain(clientName, cause);
  }
}

function explain(clientName: string, cause: unknown): unknown {
  return isAbsent(PACKAGE, cause) ? new OfficialClientMissingError(clientName, cause) : cause;
}
