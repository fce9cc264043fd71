import type { ClusterBus } from '../../cluster/cluster-bus.js';
import type { SessionRegistry } from '../../sessions/session-registry.js';
import type { Session } from '../../sessions/session.js';
import { readNotification, type PublishedNotification } from '../audience.js';
import {
  buildListChanged,
  buildLogMessage,
  buildUpdate,
  CHANGES,
  LIST_FILTERS,
  RESOURCE_FILTERS,
  type ResourceFilter,
} from '../change-notifications.js';
import type { ListenerRegistry } from '../listener-registry.js';
import type { NotificationScopes, ResourceScopes } from '../notification-scopes.js';

const EXPLANATION =
  'Messages from the server were lost: its lists and the resources that you subscribed to may have changed';

/** Returns the notifications that make a client reread what may have changed after messages to it were lost. */
export function* listLossReports(session: Session): Generator<PublishedNotification> {
  for (const filter of LIST_FILTERS) {
    if (CHANGES[filter].isDeclared(session.declared))
      yield { to: { filter }, notification: buildListChanged(filter) };
  }
  for (const uri of session.subscriptions) {
    for (const filter of RESOURCE_FILTERS)
      yield { to: { filter, uri }, notification: buildUpdate(filter, uri) };
  }
  yield { to: { level: 'warning' }, notification: buildLogMessage('warning', EXPLANATION) };
}

/** Reports lost messages to clients whose streams cannot be replayed. */
export class LossReporter {
  constructor(
    private readonly sessions: SessionRegistry,
    private readonly listeners: ListenerRegistry,
    private readonly resourceScopes: ResourceScopes,
    private readonly scopes: NotificationScopes,
    bus: ClusterBus,
  ) {
    bus.onGap(() => void this.#report());
  }

  /** Never rejects. */
  async #report(): Promise<void> {
    for (const filter of LIST_FILTERS) this.listeners.sendListChanged(filter, buildListChanged(filter));
    for (const filter of RESOURCE_FILTERS) {
      for (const uri of this.listeners.resources[filter].list()) await this.#sendUpdate(filter, uri);
    }
    for (const session of [...this.sessions.recipients.all()]) {
      if (session.shared === undefined) await this.#reportToSession(session);
    }
  }

  async #sendUpdate(filter: ResourceFilter, uri: string): Promise<void> {
    const resource = { filter, uri };
    const update = buildUpdate(filter, uri);
    const { resourceScopes: scopes, listeners } = this;
    if (!scopes.isPersonal) listeners.sendUpdate(resource, update, { scopes: scopes.find(uri) });
    else await listeners.sendVisibleUpdate(resource, update, ({ request }) => scopes.findFor(uri, request));
  }

  async #reportToSession(session: Session): Promise<void> {
    for (const report of listLossReports(session)) {
      const scopes = await this.scopes.find(session, report.to);
      if (scopes !== undefined) session.emit(readNotification(report), scopes);
    }
  }
}
