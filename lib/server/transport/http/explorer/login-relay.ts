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

/** Far more than a registration, a code or a proof needs. */
const MOST_BYTES = 64 * 1024;

const TIMEOUT_MS = 10_000;

/** A login requires three requests. */
const ALLOWANCE = { burst: 30, perSecond: 0.5 };

/** An authorization server's endpoints, as named in its metadata. */
const MEMBERS = { registration: 'registration_endpoint', token: 'token_endpoint' } as const;

type IssuerExceptions = Pick<AuthSettings, 'authorizationServers' | 'insecureHosts' | 'ignoreIssuerSlash'>;

/**
 * Sends the page's login requests to authorization servers without CORS. The page never decides where a request goes:
 * the target comes from the metadata of a configured issuer, and redirects are not followed. The browser's cookies
 * and address are not forwarded.
 *
 * @see RFC 8414 §3.3, RFC 9700 §4
 */
export class LoginRelay {
  readonly #allowances = new TokenBuckets(ALLOWANCE);

  /**
   * @param transferTimeoutMs milliseconds for the page to send its request
   * @param timeoutMs milliseconds for the authorization server's metadata, and for its response
   */
  constructor(
    private readonly settings: IssuerExceptions,
    private readonly transferTimeoutMs: number,
    private readonly timeoutMs = TIMEOUT_MS,
  ) {}

  /** Returns the authorization server's response, or an error response; never rejects. */
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
      const { status, message: problem } = explain(error);
      return format(status, { problem });
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
      throw new LoginRelayError(409, `${name} has changed: reload the page, and log in again`);
    const isNamed = insecureHosts.includes(target.hostname);
    if (!isNamed && (await new SsrfGuard(new URL(issuer)).isCloser(target)))
      throw new LoginRelayError(502, `${name} points to a private network, or to this machine`);
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
      throw new LoginRelayError(
        502,
        `${quoteUrl(url)} redirects, but redirects are not followed during a login`,
      );
    }
    const dpopNonce = response.headers.get('dpop-nonce') ?? undefined;
    const bytes = await readBytes(response);
    return { status, body: bytes.toString(), ...(dpopNonce !== undefined && { dpopNonce }) };
  } catch (error) {
    if (error instanceof LoginRelayError) throw error;
    const problem = `${quoteUrl(url)} ${explainFailedFetch(error, timeoutMs)}`;
    throw new LoginRelayError(502, problem, { cause: error });
  }
}

function explain(error: unknown): { readonly status: number; readonly message: string } {
  if (error instanceof LoginRelayError) return error;
  if (error instanceof DocumentError) return { status: 502, message: error.message };
  if (error instanceof McpError) return { status: error.httpStatus ?? 400, message: error.message };
  return { status: 500, message: 'The login request could not be read' };
}

/** Only the page may read it: no caching, no navigation (RFC 6749 §5.1). */
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

/** The HTTP/2 equivalent of the header (RFC 9113 §8.3.1). */
interface HostedRequest extends IncomingMessage {
  readonly authority?: string;
}

const MODES: readonly unknown[] = ['cors', 'same-origin'];

/**
 * Whether a request is a login request from the page. Browsers set these headers and pages cannot forge them, so
 * requests from other pages go to the endpoint.
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

/** A valid login request, whose issuer metadata has yet to be fetched. */
export interface LoginRequest {
  readonly issuer: string;
  readonly endpoint: LoginEndpoint;
  /** The target that the page expects. */
  readonly url: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The allowed values in a login request. */
export interface LoginRelayLimits {
  /** The page's origin. */
  readonly origin: string;
  readonly issuers: readonly string[];
}

/**
 * Parses a request from the page, and accepts only what a login needs.
 *
 * @throws {LoginRelayError} if it is anything else
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

/** Only clients that redirect to the page are registered (RFC 7591 §2). */
function parseRegistration({ body }: JsonObject, origin: string): Sent {
  const metadata = typeof body === 'string' ? parseJsonObject(body) : undefined;
  const uris: unknown = metadata?.['redirect_uris'];
  const isOfPage = Array.isArray(uris) && uris.length > 0 && uris.every((uri) => isAt(uri, origin));
  if (!isOfPage)
    throw new LoginRelayError(403, '"redirect_uris" in a registration must have the same origin as the page');
  return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(metadata) };
}

/** The grants used in a login. Others would obtain tokens for the client itself, or in exchange for other tokens. */
const GRANTS: readonly unknown[] = ['authorization_code', 'refresh_token'];

/** A confidential client's credentials (RFC 7617). */
const BASIC = /^Basic [\w+/=.~-]{1,4096}$/;

/** RFC 9449 §4.1, RFC 7515 §3.1. */
const PROOF = /^[\w-]{1,2048}\.[\w-]{1,4096}\.[\w-]{1,2048}$/;

function parseTokenRequest({ body, authorization, dpop }: JsonObject, origin: string): Sent {
  const form = new URLSearchParams(typeof body === 'string' ? body : '');
  const [grant, ...others] = form.getAll('grant_type');
  if (!GRANTS.includes(grant) || others.length > 0)
    throw new LoginRelayError(403, '"grant_type" must be "authorization_code" or "refresh_token"');
  if (!form.getAll('redirect_uri').every((uri) => isAt(uri, origin)))
    throw new LoginRelayError(403, '"redirect_uri" must have the same origin as the page');
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
  throw new LoginRelayError(400, `"${name}" does not have a form that can be forwarded`);
}

function isAt(uri: unknown, origin: string): boolean {
  return typeof uri === 'string' && findUrl(uri)?.origin === origin;
}

/** A login request was rejected, or its target did not respond. */
export class LoginRelayError extends Error {
  override readonly name = 'RelayRefusedError';

  constructor(
    /** The HTTP status of the response to the page. */
    readonly status: number,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
