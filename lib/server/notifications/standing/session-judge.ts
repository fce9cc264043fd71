import { isUpTo } from '../../cluster/position.js';
import type { Session } from '../../sessions/session.js';
import { NO_SCOPES } from '../../sessions/streams/scope-holder.interface.js';
import type { ClusterPosition } from '../../settings/cluster/cluster.interface.js';
import type { Audience } from '../announcing/announcement.js';
import { hears } from '../announcing/hears.js';
import type { ResourceScopes } from '../announcing/resource-scopes.js';
import type { SubscriberViews } from '../subscriber-views.js';

/** The conditions for getting a message; `undefined` for a session that does not get it. */
export type Judgement = readonly string[] | undefined;

/** Judges which announcements are for a session. */
export class SessionJudge {
  constructor(
    private readonly scopes: ResourceScopes,
    private readonly views: SubscriberViews,
  ) {}

  /**
   * Returns the scopes that a message requires, or `undefined` if the message is not for the session.
   *
   * @param position where it stands in the log, if it does
   */
  judge(session: Session, to: Audience, position?: ClusterPosition): Judgement | Promise<Judgement> {
    if (!hears(session, to)) return undefined;
    if (!('uri' in to)) return ('scopes' in to ? to.scopes : undefined) ?? NO_SCOPES;
    const since = session.findSubscribed(to.uri);
    if (position !== undefined && since !== undefined && isUpTo(position, since)) return undefined;
    if (this.scopes.isPersonal) return this.scopes.findFor(to.uri, this.views.find(session));
    return this.scopes.find(to.uri) ?? NO_SCOPES;
  }
}
