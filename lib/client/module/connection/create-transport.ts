import type { Transport } from '@modelcontextprotocol/client';
import {
  createLimitedFetch,
  type ResponseLimit,
  ResponseTooLargeError,
} from '../../../core/network/limited-fetch.js';
import { ValueMeter } from '../../../core/network/value-meter.js';
import { isPackageMissing } from '../../../core/package/missing-package.js';
import { requestMessageEndpoint } from '../../../core/protocol/http-sse.js';
import { createAuthorizedFetch } from '../../authorization/authorized-fetch.js';
import { OfficialClientMissingError } from '../errors.js';
import type { ClientSettings } from '../options/client-settings.js';
import type { HttpClientOptions, StdioClientOptions } from '../options/mcp-client-options.js';
import { LinkWatch } from './link-watch.js';

/**
 * How many times the official transport reopens the standalone SSE stream. After that, the stream is lost until the
 * next connection.
 */
const STREAM_RETRIES = { initialReconnectionDelay: 500, maxReconnectionDelay: 10_000, maxRetries: 5 };

/**
 * Creates the transport to a server.
 *
 * @param messages the HTTP+SSE message endpoint, if the server supports no newer transport
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
 * Requests the HTTP+SSE message endpoint of a server that refused a POST.
 *
 * @returns `undefined` if it does not support HTTP+SSE
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

/** The stdio transport appends its input to a private buffer before it parses lines. */
interface ReadingTransport {
  readonly _readBuffer: { append(chunk: Uint8Array): void };
}

/** Limits the values and the nesting in a process's output lines. */
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

/** A link's watch, and its HTTP+SSE message endpoint if it has one. */
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
  // Watch below the token source, because its failures are not the server's.
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

/** The official client's module. */
export type OfficialClient = typeof import('@modelcontextprotocol/client');

/** The official client's module for stdio servers. */
type OfficialStdio = typeof import('@modelcontextprotocol/client/stdio');

/**
 * Loads the official client, which is an optional dependency.
 *
 * @throws {OfficialClientMissingError} if it is not installed, with the command that installs it
 */
export async function loadOfficialClient(clientName: string): Promise<OfficialClient> {
  // The "try" makes bundlers treat the package as optional.
  try {
    return await import('@modelcontextprotocol/client');
  } catch (cause) {
    throw explain(clientName, cause);
  }
}

/**
 * Loads the stdio transport.
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
  return isPackageMissing(PACKAGE, cause) ? new OfficialClientMissingError(clientName, cause) : cause;
}
