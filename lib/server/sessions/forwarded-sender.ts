import type { Authentication } from '../context/authentication.js';
import type { SessionRegistry } from './session-registry.js';
import type { Session } from './session.js';
import type { ScopeHolder } from './streams/scope-holder.interface.js';

/** The sender of a message to another process: the facts that the process needs, without the token. */
export interface ForwardedSender {
  /** The session key. */
  readonly session: string;
  readonly identity?: string | undefined;
  /** The token's scopes; absent without a token. */
  readonly scopes?: readonly string[] | undefined;
}

/** Describes who sent a message in a session. */
export function buildForwardedSender(
  { key: session }: Pick<Session, 'key'>,
  authentication: Authentication | undefined,
): ForwardedSender {
  if (authentication === undefined) return { session };
  const { identity, scopes } = authentication;
  return { session, identity, scopes: [...scopes] };
}

/**
 * Finds a sender's session, if this process has the session and the sender owns it. A session opened without a token
 * is bound to the first caller with a token.
 *
 * @throws {SessionLimitError} if the session would be bound to a caller that has reached the session limit
 * @throws {MemoryLimitError} if the session would be bound to a caller that has no memory for it
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

/** Returns the scopes of a sender's token. */
export function readHolder({ scopes }: ForwardedSender): ScopeHolder {
  return { scopes: scopes && new Set(scopes) };
}
