import type { IncomingMessage } from 'node:http';
import {
  LOGIN_RELAY_QUERY,
  type LoginEndpoint,
  type RelayedResponse,
  type RelayedRequest,
  type RelayProblem,
} from '../../../../core/explorer/page-contract.js';
import type { AuthorizationServerMetadata } from '../../../../core/oauth/metadata.js';
import { SsrfGuard } from '../../../../core/network/ssrf-guard.js';
import { isRedirectStatus } from '../../../../core/oauth/http-status.js';
import { findUrl, isSecureUrl } from '../../../../core/oauth/secure-url.js';
import { readBytes } from '../../../../core/oauth/whole-response.js';
import { McpError } from '../../../../core/protocol/mcp.error.js';
import { TokenBuckets } from '../../../../core/async/rate-limits.js';
import { DocumentError } from '../../../auth/errors.js';
import { explainFailedFetch } from '../../../auth/keys/fetch-document.js';
import { fetchServerMetadata } from '../../../auth/keys/issuer-metadata.js';
import { quoteUrl } from '../../../auth/quote-value.js';
import type { AuthSettings } from '../../../settings/auth/auth-options.js';
import { awaitRest, readBody } from '../bodies/request-body.js';
import type { PageResponse } from './explorer-page.js';
import { isMediaType } from '../../../../core/protocol/headers/http-headers.js';
import { type JsonObject, parseJsonObject } from '../../../../core/protocol/json-rpc.js';
import { parseExactObject } from '../../../auth/validators/jwt/decode-token.js';

/** Many times what a registration, a code or a proof takes. */
const MOST_BYTES = 64 * 1024;

const TIMEOUT_MS = 10_000;

/** A login takes three requests. */
const ALLOWANCE = { burst: 30, perSecond: 0.5 };

/** Where the metadata of an authorization server names its endpoints. */
const MEMBERS = { registration: 'registration_endpoint', token: 'token_endpoint' } as const;

type Leniency = Pick<AuthSettings, 'authorizationServers' | 'insecureHosts' | 'ignoreIssuerSlash'>;

/**
 * Sends the requests of the page's login to authorization servers that let no page send them (CORS). What the page says never
 * decides where a request goes: it goes where the metadata of an issuer of the options says, and follows no redirect. Of the
 * request of the browser nothing is passed on, neither cookies nor addresses.
 *
 * @see RFC 8414 §3.3, RFC 9700 §4
 */
export class LoginRelay {
  readonly #allowances = new TokenBuckets(ALLOWANCE);

  /**
   * @param transferTimeoutMs milliseconds that the page may take to send its request
   * @param timeoutMs milliseconds that the authorization server may take for its metadata, and for its answer
   */
  constructor(
    private readonly settings: Leniency,
    private readonly transferTimeoutMs: number,
    private readonly timeoutMs = TIMEOUT_MS,
  ) {}

  /** Returns what the authorization server answers, or why there is no answer; it never rejects. */
  async answer(request: IncomingMessage): Promise<PageResponse> {
    try {
      if (!this.#allowances.take(''))
        throw new LoginRelayError(429, 'Too many logins: try again in a minute');
      awaitRest(request, this.transferTimeoutMs, () => request.destroy());
      const { origin = '' } = request.headers;
      const issuers = this.settings.authorizationServers;
      const login = parseLoginRequest(await readBody(request, MOST_BYTES), { origin, issuers });
      return format(200, await this.#send(login));
    } catch (error) {
      const { status, message: fault } = explain(error);
      return format(status, { fault });
    }
  }

  async #send(login: LoginRequest): Promise<RelayedResponse> {
    const { insecureHosts, ignoreIssuerSlash } = this.settings;
    const { timeoutMs } = this;
    const metadata = await fetchServerMetadata(login.issuer, { timeoutMs, insecureHosts, ignoreIssuerSlash });
    const { endpoint } = login;
    if (endpoint === 'metadata') return { status: 200, body: JSON.stringify(metadata) };
    const url = await this.#findEndpoint(login, endpoint, metadata);
    return post(url, login, timeoutMs);
  }

  async #findEndpoint(
    { issuer, url: expected }: LoginRequest,
    endpoint: Exclude<LoginEndpoint, 'metadata'>,
    metadata: AuthorizationServerMetadata,
  ): Promise<string> {
    const { insecureHosts } = this.settings;
    const member = MEMBERS[endpoint];
    const url = metadata[member];
    const name = `The "${member}" of ${quoteUrl(issuer)}`;
    if (url === undefined) throw new LoginRelayError(502, `${name} is not in its metadata`);
    if (!isSecureUrl(url, insecureHosts)) throw new LoginRelayError(502, `${name} must be an "https:" URL`);
    const target = new URL(url);
    if (target.href !== expected)
      throw new LoginRelayError(409, `${name} is another one by now: reload the page, and log in again`);
    const isNamed = insecureHosts.includes(target.hostname);
    if (!isNamed && (await new SsrfGuard(new URL(issuer)).isCloser(target)))
      throw new LoginRelayError(502, `${name} leads into a private network, or to this machine`);
    return url;
  }
}

async function post(
  url: string,
  { headers, body }: LoginRequest,
  timeoutMs: number,
): Promise<RelayedResponse> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { accept: 'application/json', ...headers },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    const { status } = response;
    if (isRedirectStatus(status)) {
      await response.body?.cancel();
      throw new LoginRelayError(502, `${quoteUrl(url)} redirects, and no redirect is followed with a login`);
    }
    const dpopNonce = response.headers.get('dpop-nonce') ?? undefined;
    const bytes = await readBytes(response);
    return { status, body: bytes.toString(), ...(dpopNonce !== undefined && { dpopNonce }) };
  } catch (error) {
    if (error instanceof LoginRelayError) throw error;
    const fault = `${quoteUrl(url)} ${explainFailedFetch(error, timeoutMs)}`;
    throw new LoginRelayError(502, fault, { cause: error });
  }
}

function explain(error: unknown): { readonly status: number; readonly message: string } {
  if (error instanceof LoginRelayError) return error;
  if (error instanceof DocumentError) return { status: 502, message: error.message };
  if (error instanceof McpError) return { status: error.httpStatus ?? 400, message: error.message };
  return { status: 500, message: 'The request of the login could not be read' };
}

/** The page reads it alone: nobody keeps it, or can open it as a document (RFC 6749 §5.1). */
function format(status: number, content: RelayedResponse | RelayProblem): PageResponse {
  const body = JSON.stringify(content);
  const headers = {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Referrer-Policy': 'no-referrer',
    ...(status === 429 && { 'Retry-After': 60 }),
  };
  return { status, headers, body };
}

/** A request of HTTP/2, which has this instead of the header (RFC 9113 §8.3.1). */
interface HostedRequest extends IncomingMessage {
  readonly authority?: string;
}

const MODES: readonly unknown[] = ['cors', 'same-origin'];

/**
 * Tells whether a request is one that the page has the server send for its login. Browsers say of a request which page it is from,
 * and no page can say otherwise, so that every other page is left to the endpoint.
 *
 * @see Fetch Metadata §2
 */
export function isForLoginRelay(request: HostedRequest): boolean {
  const { method, url = '', headers, authority } = request;
  if (method !== 'POST' || url.slice(url.indexOf('?')) !== LOGIN_RELAY_QUERY) return false;
  if (headers['sec-fetch-site'] !== 'same-origin' || !MODES.includes(headers['sec-fetch-mode'])) return false;
  if (headers['sec-fetch-dest'] !== 'empty' || headers['mcp-session-id'] !== undefined) return false;
  if (headers['content-encoding'] !== undefined) return false;
  if (!isMediaType(headers['content-type'], ['application/json'])) return false;
  const host = authority ?? headers.host;
  return host !== undefined && findUrl(headers.origin ?? '')?.host === host.toLowerCase();
}

/** A request that may be sent, for an issuer that is still to be looked up. */
export interface LoginRequest {
  readonly issuer: string;
  readonly endpoint: LoginEndpoint;
  /** Where the page expects it to go. */
  readonly url: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Who asks, and whom they may ask. */
export interface LoginRelayLimits {
  /** The origin of the page. */
  readonly origin: string;
  readonly issuers: readonly string[];
}

/**
 * Reads what the page wants to be sent: what a login needs, and nothing else that these endpoints can do.
 *
 * @throws {LoginRelayError} if it is something else
 */
export function parseLoginRequest(bytes: Buffer, { origin, issuers }: LoginRelayLimits): LoginRequest {
  const members = parseExactObject(bytes);
  if (members === undefined) throw new LoginRelayError(400, 'The request must be a JSON object');
  const { issuer, endpoint, url } = members as Partial<RelayedRequest>;
  if (typeof issuer !== 'string' || !issuers.includes(issuer)) {
    throw new LoginRelayError(403, '"issuer" must be one of "auth.authorizationServers"');
  }
  if (endpoint === 'metadata') return { issuer, endpoint, url: undefined, headers: {}, body: '' };
  if (endpoint !== 'registration' && endpoint !== 'token') {
    throw new LoginRelayError(403, '"endpoint" must be "metadata", "registration" or "token"');
  }
  if (typeof url !== 'string') throw new LoginRelayError(400, '"url" must be the URL of the endpoint');
  const parse = endpoint === 'token' ? parseTokenRequest : parseRegistration;
  return { issuer, endpoint, url, ...parse(members, origin) };
}

type Sent = Pick<LoginRequest, 'headers' | 'body'>;

/** Only clients whose answers come back to the page are registered (RFC 7591 §2). */
function parseRegistration({ body }: JsonObject, origin: string): Sent {
  const metadata = typeof body === 'string' ? parseJsonObject(body) : undefined;
  const uris: unknown = metadata?.['redirect_uris'];
  const isOfPage = Array.isArray(uris) && uris.length > 0 && uris.every((uri) => isAt(uri, origin));
  if (!isOfPage)
    throw new LoginRelayError(403, '"redirect_uris" of a registration must be at the origin of the page');
  return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(metadata) };
}

/** The grants of a login. With others, a client gets tokens for itself, or for somebody else's token. */
const GRANTS: readonly unknown[] = ['authorization_code', 'refresh_token'];

/** A client that has a secret shows it (RFC 7617). */
const BASIC = /^Basic [\w+/=.~-]{1,4096}$/;

/** RFC 9449 §4.1, RFC 7515 §3.1. */
const PROOF = /^[\w-]{1,2048}\.[\w-]{1,4096}\.[\w-]{1,2048}$/;

function parseTokenRequest({ body, authorization, dpop }: JsonObject, origin: string): Sent {
  const form = new URLSearchParams(typeof body === 'string' ? body : '');
  const [grant, ...others] = form.getAll('grant_type');
  if (!GRANTS.includes(grant) || others.length > 0)
    throw new LoginRelayError(403, '"grant_type" must be "authorization_code" or "refresh_token"');
  if (!form.getAll('redirect_uri').every((uri) => isAt(uri, origin)))
    throw new LoginRelayError(403, '"redirect_uri" must be at the origin of the page');
  return {
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      ...readHeader('authorization', authorization, BASIC),
      ...readHeader('dpop', dpop, PROOF),
    },
    body: form.toString(),
  };
}

function readHeader(name: string, value: unknown, form: RegExp): Readonly<Record<string, string>> {
  if (value === undefined) return {};
  if (typeof value === 'string' && form.test(value)) return { [name]: value };
  throw new LoginRelayError(400, `"${name}" has none of the forms that are passed on`);
}

function isAt(uri: unknown, origin: string): boolean {
  return typeof uri === 'string' && findUrl(uri)?.origin === origin;
}

/** Says why the server does not send, or did not get an answer to, a request of the page's login. */
export class LoginRelayError extends Error {
  override readonly name = 'RelayRefusedError';

  constructor(
    /** What the page is answered with. */
    readonly status: number,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
