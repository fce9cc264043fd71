import type { ClusterBus } from '../../cluster/cluster-bus.js';
import type { SessionRegistry } from '../../sessions/session-registry.js';
import type { Session } from '../../sessions/session.js';
import { readNotification } from '../announcing/announcement.js';
import type { ResourceScopes } from '../announcing/resource-scopes.js';
import { buildListChanged, buildUpdate } from '../change-notifications.js';
import { AREAS } from '../list-changed.js';
import type { ListenerRegistry } from '../listener-registry.js';
import { listLossNotices } from './loss-notices.js';
import type { SessionJudge } from './session-judge.js';

/** Tells clients whose streams cannot be read again that messages for them are lost. */
export class LossTeller {
  constructor(
    private readonly sessions: SessionRegistry,
    private readonly listeners: ListenerRegistry,
    private readonly scopes: ResourceScopes,
    private readonly judge: SessionJudge,
    bus: ClusterBus,
  ) {
    bus.onGap(() => void this.#tell());
  }

  /** Never rejects. */
  async #tell(): Promise<void> {
    for (const area of AREAS) this.listeners.sendToArea(area, buildListChanged(area));
    for (const uri of this.listeners.listResources()) {
      if (!this.scopes.isPersonal)
        this.listeners.sendToResource(uri, buildUpdate(uri), { scopes: this.scopes.find(uri) });
      else {
        await this.listeners.sendToSeeing(uri, buildUpdate(uri), ({ request }) =>
          this.scopes.findFor(uri, request),
        );
      }
    }
    for (const session of [...this.sessions.hearers.all()]) {
      if (session.shared === undefined) await this.#tellSession(session);
    }
  }

  async #tellSession(session: Session): Promise<void> {
    for (const notice of listLossNotices(session)) {
      const scopes = await this.judge.judge(session, notice.to);
      if (scopes !== undefined) session.emit(readNotification(notice), scopes);
    }
  }
}
