import type { Session } from '../../sessions/session.js';
import type { Announcement } from '../announcing/announcement.js';
import { buildListChanged, buildLogMessage, buildUpdate } from '../change-notifications.js';
import { AREAS, LIST_CHANGED } from '../list-changed.js';

const EXPLANATION =
  'Messages of the server were lost: its lists, and the resources that you subscribed to, may have changed';

/** Returns notices that make a client read again what it may have missed, because messages for it are, or may be, lost. */
export function* listLossNotices(session: Session): Generator<Announcement> {
  for (const area of AREAS) {
    if (LIST_CHANGED[area].isDeclared(session.declared))
      yield { to: { area }, notification: buildListChanged(area) };
  }
  for (const uri of session.subscriptions) yield { to: { uri }, notification: buildUpdate(uri) };
  yield { to: { level: 'warning' }, notification: buildLogMessage('warning', EXPLANATION) };
}
