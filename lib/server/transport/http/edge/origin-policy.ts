import type { IncomingMessage, ServerResponse } from 'node:http';
import { findUrl, isLoopbackHost } from '../../../../core/oauth/secure-url.js';
import type { ServerSettings } from '../../../settings/server-settings.js';
import { parseHost } from '../../../../core/network/host-names.js';
import type { CorsOptions } from '../../../settings/http-options.js';
import { varyBy } from '../replies/response-headers.js';

/** A request with more host information than its header. */
interface HostedRequest extends IncomingMessage {
  /** Express: the host according to trusted proxies. */
  readonly host?: string;
  /** HTTP/2: replaces the header (RFC 9113 §8.3.1). */
  readonly authority?: string;
}

/** Why a request is rejected. */
export interface OriginProblem {
  /** The message for the caller. */
  readonly text: string;
  /** The offending header, and its value. */
  readonly header: string;
  readonly value: string;
}

/**
 * Checks the `Origin` and `Host` headers, so that a web page cannot reach a server on its visitor's machine.
 *
 * @see MCP 2025-11-25 basic/transports, "Security Warning"
 */
export class OriginPolicy {
  readonly #origins: ReadonlySet<string>;
  readonly #hosts: ReadonlySet<string> | undefined;
  readonly #publicHost: string | undefined;
  readonly #allowsAnyOrigin: boolean;
  readonly #originText: string;
  /** The last allowed host, which rarely changes. */
  #allowedHost: string | undefined;

  constructor({ publicUrl, allowedOrigins, allowedHosts, cors }: ServerSettings) {
    const origins = [...allowedOrigins, ...(cors?.origins ?? [])];
    this.#allowsAnyOrigin = origins.includes('*');
    // With "allowedOrigins" alone, no page could read responses.
    const option = cors === undefined ? 'allowedOrigins' : 'cors.origins';
    this.#originText = `"Origin" is not allowed: list it in the option "${option}"`;
    this.#origins = new Set(origins.map((origin) => parseOrigin(origin)?.origin ?? origin));
    this.#publicHost = publicUrl?.hostname;
    if (publicUrl !== undefined) this.#origins = new Set([...this.#origins, publicUrl.origin]);
    this.#hosts = allowedHosts && new Set(allowedHosts.map((host) => host.toLowerCase()));
  }

  /** Checks the origin and a request's host. Returns `undefined` if both are allowed. */
  findProblem(request: IncomingMessage): OriginProblem | undefined {
    const { origin } = request.headers;
    if (origin === undefined) {
      if (this.#isOfUnknownPage(request)) return createSiteProblem();
    } else if (!this.allowsOrigin(origin)) {
      return { text: this.#originText, header: 'Origin', value: origin };
    }
    if (this.allowsHost(request)) return undefined;
    const text =
      '"Host" is not allowed: set "publicUrl" to the URL that clients use, or list it in the option "allowedHosts"';
    return { text, header: 'Host', value: findHost(request) ?? '' };
  }

  /** Whether pages from this origin may send requests. */
  allowsOrigin(origin: string): boolean {
    if (this.#origins.has(origin)) return true;
    // Pages with an opaque origin all send "null".
    if (origin === 'null' || findUrl(origin) === undefined) return false;
    if (this.#allowsAnyOrigin) return true;
    const parsed = parseOrigin(origin);
    if (parsed === undefined) return false;
    return isLoopbackHost(parsed.hostname) || this.#origins.has(parsed.origin);
  }

  /** For embedded resources, browsers omit the origin and mark the request as cross-site (Fetch Metadata §2.4). */
  #isOfUnknownPage({ headers }: IncomingMessage): boolean {
    return headers['sec-fetch-site'] === 'cross-site' && !this.#allowsAnyOrigin;
  }

  /** Whether a request's host is allowed. */
  allowsHost(request: HostedRequest): boolean {
    const host = findHost(request);
    if (host === undefined || host === this.#allowedHost) return true;
    // Read only if it matters: a connection caches its addresses once they are read.
    if (this.#hosts === undefined && !isLoopback(request.socket.localAddress)) return true;
    if (!this.#isAllowed(host)) return false;
    this.#allowedHost = host;
    return true;
  }

  #isAllowed(host: string): boolean {
    const name = parseHost(host);
    if (name === undefined) return false;
    if (isLoopbackHost(name) || name === this.#publicHost) return true;
    return this.#hosts !== undefined && (this.#hosts.has(name) || this.#hosts.has(host.toLowerCase()));
  }
}

function createSiteProblem(): OriginProblem {
  return {
    text: '"Sec-Fetch-Site" is cross-site, but there is no "Origin": use "fetch" or "EventSource"',
    header: 'Sec-Fetch-Site',
    value: 'cross-site',
  };
}

/** Without a forwarded host, the header equals the value that Express computes, and reading it is cheaper. */
function findHost(request: HostedRequest): string | undefined {
  const { headers, authority } = request;
  const forwarded = headers['x-forwarded-host'] === undefined ? undefined : request.host;
  return forwarded ?? authority ?? headers.host;
}

function parseOrigin(origin: string): URL | undefined {
  const url = findUrl(origin);
  return url?.origin === 'null' ? undefined : url;
}

function isLoopback(address: string | undefined): boolean {
  if (address === undefined) return false;
  return address === '::1' || address.startsWith('127.') || address.startsWith('::ffff:127.');
}

const ALLOWED_HEADERS = [
  'Authorization',
  'Content-Type',
  'Accept',
  'Mcp-Session-Id',
  'MCP-Protocol-Version',
  'Mcp-Method',
  'Mcp-Name',
  'Last-Event-ID',
];
const EXPOSED_HEADERS = 'Mcp-Session-Id, MCP-Protocol-Version, WWW-Authenticate';

/** Additional headers for DPoP (RFC 9449 §4.1, §8). */
const PROOF_HEADER = 'DPoP';
const NONCE_HEADER = 'DPoP-Nonce';

/** The response headers that the application's CORS sets. */
const OF_APPLICATION = [
  'Access-Control-Allow-Origin',
  'Access-Control-Allow-Credentials',
  'Access-Control-Expose-Headers',
];

/** CORS headers (Fetch Standard §3.2). */
export class CrossOrigin {
  readonly #allowsAny: boolean;
  readonly #origins: ReadonlySet<string>;

  /** @param takesDpop whether DPoP proofs and nonces are used */
  constructor(
    private readonly options: Required<CorsOptions>,
    private readonly takesDpop = false,
  ) {
    this.#allowsAny = options.origins.includes('*');
    this.#origins = new Set(options.origins);
  }

  /** Allows pages from a listed origin to read a response. Other origins that may send requests cannot read it. */
  allow(origin: string | undefined, response: ServerResponse): void {
    if (!this.#allowsAny) varyBy(response, 'Origin');
    if (origin === undefined || !this.#allows(origin)) return;
    response.setHeader('Access-Control-Allow-Origin', this.#allowsAny ? '*' : origin);
    response.setHeader('Access-Control-Expose-Headers', listExposed(this.takesDpop));
  }

  /** Replaces the application's CORS headers, which are meant for other paths. */
  override(origin: string, response: ServerResponse): void {
    for (const name of OF_APPLICATION) response.removeHeader(name);
    this.allow(origin, response);
  }

  /** Whether a request is a preflight. */
  isPreflight({ method, headers }: IncomingMessage): boolean {
    const { origin, 'access-control-request-method': asked } = headers;
    return method === 'OPTIONS' && asked !== undefined && origin !== undefined;
  }

  /** Responds to a preflight. */
  answerPreflight(request: IncomingMessage, response: ServerResponse, methods: string): void {
    response.writeHead(204, {
      'Access-Control-Allow-Methods': methods,
      'Access-Control-Allow-Headers': selectHeaders(request, this.takesDpop),
      'Access-Control-Max-Age': this.options.maxAgeSeconds,
      'Content-Length': 0,
    });
    response.end();
  }

  #allows(origin: string): boolean {
    return this.#allowsAny || this.#origins.has(origin);
  }
}

/** Adds exposed headers to the application's CORS, which does not know the MCP headers. */
export function exposeHeaders(response: ServerResponse, takesDpop = false): void {
  if (!response.hasHeader('Access-Control-Allow-Origin')) return;
  if (response.hasHeader('Access-Control-Expose-Headers')) return;
  response.setHeader('Access-Control-Expose-Headers', listExposed(takesDpop));
}

function listExposed(takesDpop: boolean): string {
  return takesDpop ? `${EXPOSED_HEADERS}, ${NONCE_HEADER}` : EXPOSED_HEADERS;
}

/** Tools decide which parameters are repeated as `Mcp-Param-*`, so the requested ones are allowed. */
function selectHeaders(request: IncomingMessage, takesDpop: boolean): string {
  const asked = request.headers['access-control-request-headers'] ?? '';
  const parameters = asked
    .split(',')
    .map((name) => name.trim())
    .filter((name) => /^mcp-param-[!#$%&'*+.^_`|~0-9a-z-]{1,64}$/i.test(name))
    .slice(0, 64);
  return [...ALLOWED_HEADERS, ...(takesDpop ? [PROOF_HEADER] : []), ...parameters].join(', ');
}
