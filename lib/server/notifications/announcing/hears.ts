import { declaresExtension } from '../../../core/protocol/capabilities.js';
import { isAtLeast } from '../../../core/protocol/log-level.js';
import type { Session } from '../../sessions/session.js';
import { SessionField } from '../../sessions/shared/session-record.js';
import { LIST_CHANGED } from '../list-changed.js';
import { isMeant, type KnownCaller } from '../../sessions/callers/caller-filter.js';
import type { Audience, Recipients } from './announcement.js';

/** Tells whether a session is among the recipients of a message, apart from scopes. */
export function hears(session: Session, to: Audience): boolean {
  if ('only' in to && !isRecipient(session, to.only)) return false;
  if ('area' in to) return LIST_CHANGED[to.area].isDeclared(session.declared);
  if ('uri' in to) return session.subscriptions.has(to.uri);
  if ('level' in to) return session.logLevel !== undefined && isAtLeast(to.level, session.logLevel);
  if (to.session !== undefined && session.key !== to.session) return false;
  if ('extension' in to) return declaresExtension(session.client.capabilities, to.extension);
  return to.defined === undefined || session.revision.defines[to.defined];
}

/**
 * Finds the process at which a session's client settled that it wants a message, and which judged at once, in order, whether it
 * does. Returns `undefined` if that is not known. Whether a client sees a resource may take time to find out.
 */
export function findSettler({ shared }: Session, to: Audience): string | undefined {
  return 'level' in to ? shared?.versions.findProcess(SessionField.level) : undefined;
}

/** Tells whether a listener is among the recipients. A listener without a session gets only messages for callers. */
export function isRecipient(
  hearer: KnownCaller & { readonly key?: string },
  only: Recipients | undefined,
): boolean {
  if (only === undefined) return true;
  if (only.session !== undefined && hearer.key !== only.session) return false;
  return only.caller === undefined || isMeant(only.caller, hearer);
}
