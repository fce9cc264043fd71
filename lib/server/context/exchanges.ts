import type { Authentication } from './authentication.interface.js';
import type { Exchange } from './exchange.interface.js';

/**
 * How the tokens of callers are exchanged. It is kept apart from the facts about a caller, so that logging or
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
