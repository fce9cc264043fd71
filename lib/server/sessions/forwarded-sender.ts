import type { Authentication } from '../context/authentication.js';
import type { SessionRegistry } from './session-registry.js';
import type { Session } from './session.js';
import type { ScopeHolder } from './streams/scope-holder.interface.js';

/** The sender of a message for another process: the facts that this process needs, without the token. */
export interface ForwardedSender {
  /** The key of the session. */
  readonly session: string;
  readonly identity?: string | undefined;
  /** The scopes of the token; absent without a token. */
  readonly scopes?: readonly string[] | undefined;
}

/** Says who sent something in a session. */
export function buildForwardedSender(
  { key: session }: Pick<Session, 'key'>,
  authentication: Authentication | undefined,
): ForwardedSender {
  if (authentication === undefined) return { session };
  const { identity, scopes } = authentication;
  return { session, identity, scopes: [...scopes] };
}

/**
 * Finds the session that a sender speaks in, if this process has it and it is theirs. As everywhere, a session that was
 * opened without a token belongs to the first caller with a token.
 *
 * @throws {SessionLimitError} if it would be the caller's from now on, who has as many as may be
 * @throws {MemoryLimitError} the same, if the caller has no memory for it
 */
export function findForwardedSession(
  sessions: SessionRegistry,
  { session: key, identity }: ForwardedSender,
): Session | undefined {
  const session = sessions.findByKey(key);
  if (session === undefined) return undefined;
  const owner = session.shared?.owner;
  if (owner !== undefined && owner !== identity) return undefined;
  if (session.identity === undefined && identity !== undefined) sessions.bind(session, identity);
  if (session.identity !== identity) return undefined;
  session.touch();
  return session;
}

/** Returns what a sender's token allows. */
export function readHolder({ scopes }: ForwardedSender): ScopeHolder {
  return { scopes: scopes && new Set(scopes) };
}
