import { declaresExtension } from '../../../core/protocol/capabilities.js';
import { isAtLeast } from '../../../core/protocol/log-level.js';
import type { Session } from '../../sessions/session.js';
import { LIST_CHANGED } from '../list-changed.js';
import type { Audience } from './announcement.js';

/** Tells whether a session is among those who are told something, as far as that is no matter of scopes. */
export function hears(session: Session, to: Audience): boolean {
  if ('area' in to) return LIST_CHANGED[to.area].isDeclared(session.declared);
  if ('uri' in to) return session.subscriptions.has(to.uri);
  if ('level' in to) return session.logLevel !== undefined && isAtLeast(to.level, session.logLevel);
  if ('identity' in to) return session.identity === to.identity;
  if (to.session !== undefined && session.key !== to.session) return false;
  if ('extension' in to) return declaresExtension(session.client.capabilities, to.extension);
  return to.defined === undefined || session.revision.defines[to.defined];
}
