import type { Authentication } from './authentication.js';

/**
 * Exchanges callers' tokens. It is separate from the facts about a caller, so logging or serializing those never
 * reveals a token.
 */
const EXCHANGES = new WeakMap<Authentication, Exchange>();

/** Allows a caller's token to be exchanged for as long as the caller is known. */
export function allowExchange(authentication: Authentication, create: () => Exchange): void {
  if (!EXCHANGES.has(authentication)) EXCHANGES.set(authentication, create());
}

/** Returns the exchange for a caller's token, or `undefined` if the server does not exchange tokens. */
export function findExchange(authentication: Authentication): Exchange | undefined {
  return EXCHANGES.get(authentication);
}

const UPSTREAMS = new WeakMap<Authentication, () => Promise<string>>();

/** Allows access to the token that the identity provider issued for a caller, while the caller is known. */
export function allowUpstream(authentication: Authentication, request: () => Promise<string>): void {
  if (!UPSTREAMS.has(authentication)) UPSTREAMS.set(authentication, request);
}

/**
 * Returns the function that gets a caller's token from the identity provider, or `undefined` if this server has none.
 */
export function findUpstream(authentication: Authentication): (() => Promise<string>) | undefined {
  return UPSTREAMS.get(authentication);
}

/** The token to request for another service with `auth.exchange()`. */
export interface RequestedToken {
  /** The service's name at the authorization server, or several names. @default chosen by the authorization server */
  readonly audience?: string | readonly string[] | undefined;
  /** The service URL (RFC 8707), or several. @default chosen by the authorization server */
  readonly resource?: string | readonly string[] | undefined;
  /** Scopes that the token must have. @default chosen by the authorization server */
  readonly scopes?: readonly string[] | undefined;
  /** A token from an earlier exchange that the service refused. A new one replaces it. @default none */
  readonly refusedToken?: string | undefined;
}

/** The call for which a token is exchanged, as it appears in the log. */
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

/** Exchanges a caller's token for a token that another service accepts. */
export type Exchange = (wanted: RequestedToken, call?: ExchangingCall) => Promise<string>;
