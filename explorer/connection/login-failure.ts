import { selectLoginFix, selectTokenFix } from '../../lib/client/authorization/error-fixes.js';
import type { LoginEndpoint } from '../../lib/core/explorer/page-contract.js';
import { readToken } from '../../lib/core/doctor/read-token.js';
import type { LoginRecord } from './login-record.js';

/** The reason why a login failed. */
export interface LoginFailure {
  readonly text: string;
  /** The request that failed; absent if the page did not send it. */
  readonly endpoint?: LoginEndpoint;
}

/** An authorization server's response that rejects a login request. */
export interface LoginRefusal {
  readonly endpoint: LoginEndpoint;
  readonly status: number;
  /** The error code (RFC 6749 §5.2, RFC 7591 §3.2.2); absent if the response is not an OAuth error. */
  readonly error?: string;
  readonly description?: string;
}

const ASKS: Readonly<Record<LoginEndpoint, string>> = {
  metadata: 'read the metadata of the authorization server',
  registration: 'register this page with the authorization server',
  token: 'fetch the token from the authorization server',
};

/** Thrown if a login request receives no response. */
export class LoginRequestError extends Error {
  override readonly name = 'LoginRequestError';

  constructor(
    readonly endpoint: LoginEndpoint,
    readonly url: string,
    /** The end of a sentence that names the request and its URL. */
    reason: string,
  ) {
    super(`The request to ${ASKS[endpoint]} failed (${url}): ${reason}.`);
  }
}

/** The known facts about a failed login. */
export interface FailedLogin {
  readonly error: unknown;
  readonly refusal: LoginRefusal | undefined;
  readonly record: LoginRecord;
  readonly endpoint: URL;
}

/**
 * Describes why a login failed. The authorization server's response takes precedence over the official client's
 * error.
 */
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
    ? {
        text: 'The authorization server does not support dynamic client registration.',
        endpoint: 'registration',
      }
    : { text: message };
}

/** Describes why the authorization response has no code (RFC 6749 §4.1.2.1). */
export function explainAnswer(answer: URLSearchParams): LoginFailure {
  const error = answer.get('error');
  if (error === null) return { text: 'The authorization response has no code.' };
  const said = quote(error, answer.get('error_description') ?? undefined);
  return { text: `The authorization server refused the login with ${said}: ${selectLoginFix(error)}.` };
}

function describeRefusal({ endpoint, status, error, description }: LoginRefusal): string {
  const what = endpoint === 'registration' ? 'did not register this page' : 'did not issue a token';
  if (error === undefined)
    return `The authorization server ${what}: it responded with status ${status} and no further details.`;
  const fix =
    endpoint === 'registration' ? 'use a client id that is registered there' : selectTokenFix(error);
  return `The authorization server ${what}, and responded with ${quote(error, description)}: ${fix}.`;
}

const LONGEST = 300;

function quote(error: string, description: string | undefined): string {
  return `"${error.slice(0, LONGEST)}"${description === undefined ? '' : ` (${description.slice(0, LONGEST)})`}`;
}

/** The server's response to a token. */
export interface RefusedToken {
  readonly token: string;
  readonly isTyped: boolean;
  readonly description: string | undefined;
}

/** Describes what the response or the token reveals about why the server refused it. */
export function explainRefusedToken({ token, isTyped, description }: RefusedToken): string {
  const which = isTyped ? 'this token' : 'the token from your login';
  const reason = description ?? describeEnd(token) ?? 'its log contains the reason at level "debug"';
  return `The server refused ${which}: ${reason}.`;
}

function describeEnd(token: string): string | undefined {
  const end = readToken(token)?.['exp'];
  return typeof end === 'number' && end * 1000 < Date.now()
    ? `it expired at ${new Date(end * 1000).toLocaleString()}`
    : undefined;
}
