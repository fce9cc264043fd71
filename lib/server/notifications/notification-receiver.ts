import type { OnModuleInit } from '@nestjs/common';
import type { OutboundNotification } from '../../core/protocol/outbound-message.js';
import { selectSequentially } from '../catalog/visibility/select-sequentially.js';
import type { ClusterBus, Delivery } from '../cluster/cluster-bus.js';
import type { SessionRegistry } from '../sessions/session-registry.js';
import type { Session } from '../sessions/session.js';
import {
  definesFlag,
  findJudgingProcess,
  isInAudience,
  isRecipient,
  NOTIFICATIONS,
  readNotification,
  type Audience,
  type PublishedNotification,
  type Recipients,
  type ResourceAudience,
} from './audience.js';
import { CHANGES } from './change-notifications.js';
import type { Listener, ListenerRegistry } from './listener-registry.js';
import type { ResourceScopes, SubscriberViews } from './notification-scopes.js';

/** Delivers all processes' notifications to the clients whose streams are in this one. */
export class NotificationReceiver implements OnModuleInit {
  constructor(
    private readonly registry: SessionRegistry,
    private readonly listeners: ListenerRegistry,
    private readonly scopes: ResourceScopes,
    private readonly views: SubscriberViews,
    private readonly bus: ClusterBus,
  ) {}

  onModuleInit(): void {
    this.bus.on(NOTIFICATIONS, (published, delivery) => this.#receive(published, delivery));
    this.bus.onStored(NOTIFICATIONS, (published, delivery) => this.#redeliver(published, delivery));
  }

  /**
   * Delivers a notification to its audience. Next hop: `Session.emit` for sessions, `ListenerRegistry` for
   * `subscriptions/listen` subscriptions.
   */
  #receive(published: PublishedNotification, delivery: Delivery): void {
    const { to } = published;
    const notification = readNotification(published);
    if ('uri' in to) return this.#deliverUpdate(to, notification, delivery);
    const scopes = 'scopes' in to ? to.scopes : undefined;
    for (const session of this.#select(to)) {
      if (isInAudience(session, to)) session.emit(notification, scopes, delivery);
    }
    if ('filter' in to) this.listeners.sendListChanged(to.filter, notification, selectListeners(to.only));
  }

  /**
   * Delivers a message to readers that did not receive it when this process did. This process may have learned only
   * later that their clients want it.
   */
  #redeliver({ to }: PublishedNotification, { position, name }: Delivery): void {
    if (position === undefined || name === undefined) return;
    for (const session of this.#select(to)) {
      if (!isInAudience(session, to)) continue;
      session.shared?.reader?.delayPublished(name, position, findJudgingProcess(session, to));
    }
  }

  #select(to: Audience): Iterable<Session> {
    const key = 'session' in to ? to.session : findOnly(to)?.session;
    if (key === undefined) return this.registry.recipients.all();
    const session = this.registry.findByKey(key);
    return session === undefined ? [] : [session];
  }

  #deliverUpdate(to: ResourceAudience, notification: OutboundNotification, delivery: Delivery): void {
    if (this.scopes.isPersonal) return void this.#deliverVisibleUpdate(to, notification, delivery);
    const scopes = this.scopes.find(to.uri);
    for (const session of this.registry.recipients.resources.get(to.uri)) {
      if (isSubscriberIn(to, session)) session.emit(notification, scopes, delivery);
    }
    this.listeners.sendUpdate(to, notification, { scopes, select: selectListeners(to.only) });
  }

  /** Never rejects. If the check fails, the client is not notified. */
  async #deliverVisibleUpdate(
    to: ResourceAudience,
    notification: OutboundNotification,
    delivery: Delivery,
  ): Promise<void> {
    const { uri, only } = to;
    const { position } = delivery;
    const subscribers: Session[] = [];
    for (const session of this.registry.recipients.resources.get(uri)) {
      if (!isSubscriberIn(to, session)) continue;
      // The check is asynchronous, and later entries must not overtake this one.
      if (session.shared === undefined || position === undefined) subscribers.push(session);
      else session.shared.reader?.delay(position);
    }
    const sending = selectSequentially(subscribers, Infinity, async (session) => {
      const scopes = await this.scopes.findFor(uri, this.views.find(session));
      if (scopes !== undefined && session.subscriptions.has(uri))
        session.emit(notification, scopes, delivery);
      return false;
    });
    const select = selectListeners(only);
    const findScopes = async (listener: Listener) =>
      select(listener) ? this.scopes.findFor(uri, listener.request) : undefined;
    await Promise.all([sending, this.listeners.sendVisibleUpdate(to, notification, findScopes)]);
  }
}

/** Returns whether a subscriber of a resource is among the recipients of its update. */
function isSubscriberIn({ filter, only }: ResourceAudience, session: Session): boolean {
  return isRecipient(session, only) && definesFlag(session, CHANGES[filter].defined);
}

function findOnly(to: Audience): Recipients | undefined {
  return 'only' in to ? to.only : undefined;
}

/** Returns a function that selects the listeners among the recipients. */
function selectListeners(only: Recipients | undefined): (listener: Listener) => boolean {
  return ({ identity, request }) => isRecipient({ identity, claims: request?.auth.claims }, only);
}
