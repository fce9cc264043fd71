import type { IncomingMessage } from 'node:http';
import type { LoginEndpoint, RelayedAnswer, RelayFault } from '../../../../core/explorer/page-contract.js';
import type { AuthorizationServerMetadata } from '../../../../core/oauth/authorization-server-metadata.js';
import { ReachGuard } from '../../../../core/network/reach-guard.js';
import { isRedirectStatus } from '../../../../core/oauth/is-redirect-status.js';
import { isSecureUrl } from '../../../../core/oauth/secure-url.js';
import { readBytes } from '../../../../core/oauth/whole-answer.js';
import { McpError } from '../../../../core/protocol/mcp.error.js';
import { Allowances } from '../../../../core/waiting/allowances.js';
import { DocumentError } from '../../../auth/errors.js';
import { explainFailedFetch } from '../../../auth/keys/fetch-document.js';
import { fetchServerMetadata } from '../../../auth/keys/issuer-metadata.js';
import { quoteUrl } from '../../../auth/quote-value.js';
import type { AuthSettings } from '../../../settings/auth/auth-options.js';
import { awaitRest } from '../bodies/await-rest.js';
import { readBody } from '../bodies/request-body.js';
import { RelayRefusedError } from './relay-refused.error.js';
import { parseLoginRequest, type LoginRequest } from './relay-request.js';
import type { WholeAnswer } from './send-answer.js';

/** Many times what a registration, a code or a proof takes. */
const MOST_BYTES = 64 * 1024;

const TIMEOUT_MS = 10_000;

/** A login takes three requests. */
const ALLOWANCE = { atOnce: 30, perSecond: 0.5 };

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
  readonly #allowances = new Allowances(ALLOWANCE);

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
  async answer(request: IncomingMessage): Promise<WholeAnswer> {
    try {
      if (!this.#allowances.take(''))
        throw new RelayRefusedError(429, 'Too many logins: try again in a minute');
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

  async #send(login: LoginRequest): Promise<RelayedAnswer> {
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
    if (url === undefined) throw new RelayRefusedError(502, `${name} is not in its metadata`);
    if (!isSecureUrl(url, insecureHosts)) throw new RelayRefusedError(502, `${name} must be an "https:" URL`);
    const target = new URL(url);
    if (target.href !== expected)
      throw new RelayRefusedError(409, `${name} is another one by now: reload the page, and log in again`);
    const isNamed = insecureHosts.includes(target.hostname);
    if (!isNamed && (await new ReachGuard(new URL(issuer)).leadsCloser(target)))
      throw new RelayRefusedError(502, `${name} leads into a private network, or to this machine`);
    return url;
  }
}

async function post(url: string, { headers, body }: LoginRequest, timeoutMs: number): Promise<RelayedAnswer> {
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
      throw new RelayRefusedError(
        502,
        `${quoteUrl(url)} redirects, and no redirect is followed with a login`,
      );
    }
    const dpopNonce = response.headers.get('dpop-nonce') ?? undefined;
    const bytes = await readBytes(response);
    return { status, body: bytes.toString(), ...(dpopNonce !== undefined && { dpopNonce }) };
  } catch (error) {
    if (error instanceof RelayRefusedError) throw error;
    const fault = `${quoteUrl(url)} ${explainFailedFetch(error, timeoutMs)}`;
    throw new RelayRefusedError(502, fault, { cause: error });
  }
}

function explain(error: unknown): { readonly status: number; readonly message: string } {
  if (error instanceof RelayRefusedError) return error;
  if (error instanceof DocumentError) return { status: 502, message: error.message };
  if (error instanceof McpError) return { status: error.httpStatus ?? 400, message: error.message };
  return { status: 500, message: 'The request of the login could not be read' };
}

/** The page reads it alone: nobody keeps it, or can open it as a document (RFC 6749 §5.1). */
function format(status: number, content: RelayedAnswer | RelayFault): WholeAnswer {
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
