import { selectLoginFix, selectTokenFix } from '../../lib/client/authorization/error-fixes.js';
import type { LoginEndpoint } from '../../lib/core/explorer/page-contract.js';
import { readToken } from '../../lib/core/doctor/read-token.js';
import type { LoginRecord } from './login-record.js';

/** Why a login did not come to anything. */
export interface LoginFailure {
  readonly text: string;
  /** The request that failed; absent if it was none of the page. */
  readonly endpoint?: LoginEndpoint;
}

/** How an authorization server refused a request of a login. */
export interface LoginRefusal {
  readonly endpoint: LoginEndpoint;
  readonly status: number;
  /** Why, by its name on the wire (RFC 6749 §5.2, RFC 7591 §3.2.2); absent if the answer is no OAuth error. */
  readonly error?: string;
  readonly description?: string;
}

const ASKS: Readonly<Record<LoginEndpoint, string>> = {
  metadata: 'read the metadata of the authorization server',
  registration: 'register this page at the authorization server',
  token: 'fetch the token from the authorization server',
};

/** Says that a request of a login got no answer. */
export class LoginRequestError extends Error {
  override readonly name = 'LoginRequestError';

  constructor(
    readonly endpoint: LoginEndpoint,
    readonly url: string,
    /** The rest of a sentence that names the request and its URL. */
    reason: string,
  ) {
    super(`The request to ${ASKS[endpoint]} failed (${url}): ${reason}.`);
  }
}

/** What is known of a login that failed. */
export interface FailedLogin {
  readonly error: unknown;
  readonly refusal: LoginRefusal | undefined;
  readonly record: LoginRecord;
  readonly endpoint: URL;
}

/** Says why a login failed: what the authorization server says counts more than what the official client makes of it. */
export function explainLoginFailure({ error, refusal, record, endpoint }: FailedLogin): LoginFailure {
  if (error instanceof LoginRequestError) return { text: error.message, endpoint: error.endpoint };
  if (refusal !== undefined) return { text: describeRefusal(refusal), endpoint: refusal.endpoint };
  const resource = record.discovery?.resourceMetadata?.resource;
  if (resource !== undefined && URL.canParse(resource) && new URL(resource).origin !== endpoint.origin) {
    return {
      text: `Tokens are for ${resource}, and this page is at ${endpoint.href}: open ${resource} instead.`,
    };
  }
  const message = error instanceof Error ? error.message : String(error);
  return /dynamic client registration/.test(message)
    ? { text: 'The authorization server lets no client register itself.', endpoint: 'registration' }
    : { text: message };
}

/** Says why a login came back without a code (RFC 6749 §4.1.2.1). */
export function explainAnswer(answer: URLSearchParams): LoginFailure {
  const error = answer.get('error');
  if (error === null) return { text: 'The answer of the authorization server has no code.' };
  const said = quote(error, answer.get('error_description') ?? undefined);
  return { text: `The authorization server refused the login with ${said}: ${selectLoginFix(error)}.` };
}

function describeRefusal({ endpoint, status, error, description }: LoginRefusal): string {
  const what = endpoint === 'registration' ? 'did not register this page' : 'gave no token';
  if (error === undefined)
    return `The authorization server ${what}: it answered with status ${status}, and says no more.`;
  const fix =
    endpoint === 'registration' ? 'use a client id that is registered there' : selectTokenFix(error);
  return `The authorization server ${what}, but answered ${quote(error, description)}: ${fix}.`;
}

const LONGEST = 300;

function quote(error: string, description: string | undefined): string {
  return `"${error.slice(0, LONGEST)}"${description === undefined ? '' : ` (${description.slice(0, LONGEST)})`}`;
}

/** What the server said to a token. */
export interface RefusedToken {
  readonly token: string;
  readonly isTyped: boolean;
  readonly description: string | undefined;
}

/** Says why the server refused a token, as far as it or the token says so. */
export function explainRefusedToken({ token, isTyped, description }: RefusedToken): string {
  const which = isTyped ? 'this token' : 'the token of your login';
  const reason =
    description ?? describeEnd(token) ?? 'it does not say why, but its log does at level "debug"';
  return `The server refused ${which}: ${reason}.`;
}

function describeEnd(token: string): string | undefined {
  const end = readToken(token)?.['exp'];
  return typeof end === 'number' && end * 1000 < Date.now()
    ? `it expired at ${new Date(end * 1000).toLocaleString()}`
    : undefined;
}
