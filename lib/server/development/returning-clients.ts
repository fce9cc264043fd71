import type { Subscription } from 'rxjs';
import { isDigested } from '../catalog/listing/list-digests.js';
import { buildListChanged } from '../notifications/change-notifications.js';
import { AREAS, LIST_CHANGED } from '../notifications/list-changed.js';
import type { ListenerRegistry } from '../notifications/listener-registry.js';
import type { SessionRegistry } from '../sessions/session-registry.js';
import type { Session } from '../sessions/session.js';

/** Tells clients that come back after a restart that lists may have changed, because their earlier lists are unknown. */
export class ReturningClients {
  constructor(
    private readonly sessions: SessionRegistry,
    private readonly listeners: ListenerRegistry,
  ) {}

  /** Informs clients that come from now on. */
  tell(): Subscription {
    const subscription = this.sessions.events$.subscribe(({ type, session }) => {
      const opened = type === 'opened' ? this.sessions.find(session.id) : undefined;
      if (opened?.isAdopted === true) this.#tellSession(opened);
    });
    this.listeners.onAdded = ({ send, filter, subscriptionId }) => {
      // The client first learns which messages will come.
      queueMicrotask(() => {
        for (const area of AREAS) {
          if (filter[LIST_CHANGED[area].filter] !== true) continue;
          send(buildListChanged(area).taggedFor(subscriptionId));
        }
      });
    };
    subscription.add(() => (this.listeners.onAdded = undefined));
    return subscription;
  }

  /** Of lists with digests, the session id tells whether they have changed. */
  #tellSession(session: Session): void {
    for (const area of AREAS.filter((one) => !isDigested(one))) {
      if (LIST_CHANGED[area].isDeclared(session.declared)) session.emit(buildListChanged(area));
    }
  }
}
