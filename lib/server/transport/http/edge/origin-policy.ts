import type { IncomingMessage, ServerResponse } from 'node:http';
import { findUrl, isLoopbackHost } from '../../../../core/oauth/secure-url.js';
import type { ServerSettings } from '../../../settings/server-settings.js';
import { parseHost } from '../../../../core/network/host-names.js';
import type { CorsOptions } from '../../../settings/http-options.js';
import { varyBy } from '../replies/response-headers.js';

/** A request that knows more of its host than the header says. */
interface HostedRequest extends IncomingMessage {
  /** Express: the host as the trusted proxies saw it. */
  readonly host?: string;
  /** HTTP/2: what stands for the header there (RFC 9113 §8.3.1). */
  readonly authority?: string;
}

/** Why a request may not pass. */
export interface OriginFault {
  /** What the caller is told. */
  readonly text: string;
  /** The header that is at fault, and what it says. */
  readonly header: string;
  readonly value: string;
}

/**
 * Decides which `Origin` and `Host` a request may carry, so that a web page cannot reach a server on its reader's own
 * machine.
 *
 * @see MCP 2025-11-25 basic/transports, "Security Warning"
 */
export class OriginPolicy {
  readonly #origins: ReadonlySet<string>;
  readonly #hosts: ReadonlySet<string> | undefined;
  readonly #publicHost: string | undefined;
  readonly #allowsAnyOrigin: boolean;
  readonly #originText: string;
  /** The host that was allowed last: it is nearly always the same. */
  #allowedHost: string | undefined;

  constructor({ publicUrl, allowedOrigins, allowedHosts, cors }: ServerSettings) {
    const origins = [...allowedOrigins, ...(cors?.origins ?? [])];
    this.#allowsAnyOrigin = origins.includes('*');
    // "allowedOrigins" alone would let no page read its answers.
    const option = cors === undefined ? 'allowedOrigins' : 'cors.origins';
    this.#originText = `"Origin" is not allowed: list it in the option "${option}"`;
    this.#origins = new Set(origins.map((origin) => parseOrigin(origin)?.origin ?? origin));
    this.#publicHost = publicUrl?.hostname;
    if (publicUrl !== undefined) this.#origins = new Set([...this.#origins, publicUrl.origin]);
    this.#hosts = allowedHosts && new Set(allowedHosts.map((host) => host.toLowerCase()));
  }

  /** Tells what is wrong with a request's origin or host. Returns `undefined` if it may pass. */
  findFault(request: IncomingMessage): OriginFault | undefined {
    const { origin } = request.headers;
    if (origin === undefined) {
      if (this.#isOfUnknownPage(request)) return createSiteFault();
    } else if (!this.allowsOrigin(origin)) {
      return { text: this.#originText, header: 'Origin', value: origin };
    }
    if (this.allowsHost(request)) return undefined;
    const text =
      '"Host" is not allowed: set "publicUrl" to the URL that clients use, or list it in the option "allowedHosts"';
    return { text, header: 'Host', value: findHost(request) ?? '' };
  }

  /** Tells whether a browser on this origin may call. */
  allowsOrigin(origin: string): boolean {
    if (this.#origins.has(origin)) return true;
    // Pages without an origin of their own all say "null".
    if (origin === 'null' || findUrl(origin) === undefined) return false;
    if (this.#allowsAnyOrigin) return true;
    const parsed = parseOrigin(origin);
    if (parsed === undefined) return false;
    return isLoopbackHost(parsed.hostname) || this.#origins.has(parsed.origin);
  }

  /** Browsers name no origin if a page only embeds something, and say that it is another site's (Fetch Metadata §2.4). */
  #isOfUnknownPage({ headers }: IncomingMessage): boolean {
    return headers['sec-fetch-site'] === 'cross-site' && !this.#allowsAnyOrigin;
  }

  /** Tells whether a request may be for its host. */
  allowsHost(request: HostedRequest): boolean {
    const host = findHost(request);
    if (host === undefined || host === this.#allowedHost) return true;
    // Asked only if it matters: a connection keeps its addresses once it was asked for one.
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

function createSiteFault(): OriginFault {
  return {
    text: '"Sec-Fetch-Site" is cross-site, and there is no "Origin": call it by "fetch" or "EventSource"',
    header: 'Sec-Fetch-Site',
    value: 'cross-site',
  };
}

/** Without a proxy that tells about another, the header says all that Express knows, and costs less. */
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

/** Further headers that clients send and read if tokens are bound to keys (RFC 9449 §4.1, §8). */
const PROOF_HEADER = 'DPoP';
const NONCE_HEADER = 'DPoP-Nonce';

/** What the application's own CORS says of an answer. */
const OF_APPLICATION = [
  'Access-Control-Allow-Origin',
  'Access-Control-Allow-Credentials',
  'Access-Control-Expose-Headers',
];

/** The headers that a browser wants before it calls across origins (Fetch Standard §3.2). */
export class CrossOrigin {
  readonly #allowsAny: boolean;
  readonly #origins: ReadonlySet<string>;

  /** @param takesDpop whether clients send proofs, and read nonces */
  constructor(
    private readonly options: Required<CorsOptions>,
    private readonly takesDpop = false,
  ) {
    this.#allowsAny = options.origins.includes('*');
    this.#origins = new Set(options.origins);
  }

  /** Lets pages of a listed origin read a response; other origins that may send requests learn nothing from them. */
  allow(origin: string | undefined, response: ServerResponse): void {
    if (!this.#allowsAny) varyBy(response, 'Origin');
    if (origin === undefined || !this.#allows(origin)) return;
    response.setHeader('Access-Control-Allow-Origin', this.#allowsAny ? '*' : origin);
    response.setHeader('Access-Control-Expose-Headers', listExposed(this.takesDpop));
  }

  /** Takes the place of the application's own CORS, which is for other paths. */
  override(origin: string, response: ServerResponse): void {
    for (const name of OF_APPLICATION) response.removeHeader(name);
    this.allow(origin, response);
  }

  /** Tells whether a request is a preflight. */
  isPreflight({ method, headers }: IncomingMessage): boolean {
    const { origin, 'access-control-request-method': asked } = headers;
    return method === 'OPTIONS' && asked !== undefined && origin !== undefined;
  }

  /** Answers the question whether a request may be sent, by one of the methods. */
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

/** Completes an answer of the application's own CORS, which does not know which headers MCP clients read. */
export function exposeHeaders(response: ServerResponse, takesDpop = false): void {
  if (!response.hasHeader('Access-Control-Allow-Origin')) return;
  if (response.hasHeader('Access-Control-Expose-Headers')) return;
  response.setHeader('Access-Control-Expose-Headers', listExposed(takesDpop));
}

function listExposed(takesDpop: boolean): string {
  return takesDpop ? `${EXPOSED_HEADERS}, ${NONCE_HEADER}` : EXPOSED_HEADERS;
}

/** The tools decide which parameters are repeated as `Mcp-Param-*`, so the requested ones are allowed. */
function selectHeaders(request: IncomingMessage, takesDpop: boolean): string {
  const asked = request.headers['access-control-request-headers'] ?? '';
  const parameters = asked
    .split(',')
    .map((name) => name.trim())
    .filter((name) => /^mcp-param-[!#$%&'*+.^_`|~0-9a-z-]{1,64}$/i.test(name))
    .slice(0, 64);
  return [...ALLOWED_HEADERS, ...(takesDpop ? [PROOF_HEADER] : []), ...parameters].join(', ');
}
