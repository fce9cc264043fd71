import type { Authentication } from './authentication.js';

/**
 * How the tokens of callers are exchanged. It is separate from the facts about a caller, so that logging or
 * serializing these never shows a token.
 */
const EXCHANGES = new WeakMap<Authentication, Exchange>();

/** Lets a caller's token be exchanged, as long as the caller is known. */
export function allowExchange(authentication: Authentication, create: () => Exchange): void {
  if (!EXCHANGES.has(authentication)) EXCHANGES.set(authentication, create());
}

/** Returns the exchange of a caller's token, or `undefined` if the server exchanges none. */
export function findExchange(authentication: Authentication): Exchange | undefined {
  return EXCHANGES.get(authentication);
}

/** The token of another service that you ask `auth.exchange()` for. */
export interface RequestedToken {
  /** The name of the service at the authorization server, or several names. @default left to the authorization server */
  readonly audience?: string | readonly string[] | undefined;
  /** The URL of the service (RFC 8707), or several. @default left to the authorization server */
  readonly resource?: string | readonly string[] | undefined;
  /** Scopes that the token must have. @default left to the authorization server */
  readonly scopes?: readonly string[] | undefined;
  /** A token from an earlier exchange that the service refused. A new one replaces it. @default none */
  readonly refusedToken?: string | undefined;
}

/** The call for which a token is exchanged, as the log names it. */
export interface ExchangingCall {
  readonly http?:
    | {
        readonly headers: { readonly [name: string]: string | string[] | undefined };
        readonly request: unknown;
      }
    | undefined;
  readonly session?: { readonly id: string } | undefined;
  readonly method: string;
  readonly params: unknown;
}

/** Exchanges one caller's token for one of another service. */
export type Exchange = (wanted: RequestedToken, call?: ExchangingCall) => Promise<string>;
