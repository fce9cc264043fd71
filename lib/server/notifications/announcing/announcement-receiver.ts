import type { OnModuleInit } from '@nestjs/common';
import type { OutboundNotification } from '../../../core/protocol/outbound-message.js';
import { selectInTurn } from '../../catalog/visibility/select-in-turn.js';
import type { ClusterBus, Delivery } from '../../cluster/cluster-bus.js';
import type { SessionRegistry } from '../../sessions/session-registry.js';
import type { Session } from '../../sessions/session.js';
import type { ListenerRegistry, Listener } from '../listener-registry.js';
import type { SubscriberViews } from '../subscriber-views.js';
import {
  ANNOUNCEMENT,
  readNotification,
  type Announcement,
  type Audience,
  type Recipients,
} from './announcement.js';
import { findSettler, hears, isRecipient } from './hears.js';
import type { ResourceScopes } from './resource-scopes.js';

/** Passes announcements of all processes to the clients whose streams are in this one. */
export class AnnouncementReceiver implements OnModuleInit {
  constructor(
    private readonly registry: SessionRegistry,
    private readonly listeners: ListenerRegistry,
    private readonly scopes: ResourceScopes,
    private readonly views: SubscriberViews,
    private readonly bus: ClusterBus,
  ) {}

  onModuleInit(): void {
    this.bus.on(ANNOUNCEMENT, (announcement, delivery) => this.#receive(announcement, delivery));
    this.bus.onStored(ANNOUNCEMENT, (announcement, delivery) => this.#owe(announcement, delivery));
  }

  #receive(announcement: Announcement, delivery: Delivery): void {
    const { to } = announcement;
    const notification = readNotification(announcement);
    if ('uri' in to) return this.#tellUpdate(to, notification, delivery);
    const scopes = 'scopes' in to ? to.scopes : undefined;
    for (const session of this.#select(to)) {
      if (hears(session, to)) session.emit(notification, scopes, delivery);
    }
    if ('area' in to) this.listeners.sendToArea(to.area, notification, selectListeners(to.only));
  }

  /** Tells readers that did not get the message when this process did. This process may have learned only later what their clients want. */
  #owe({ to }: Announcement, { position, name }: Delivery): void {
    if (position === undefined || name === undefined) return;
    for (const session of this.#select(to)) {
      if (!hears(session, to)) continue;
      session.shared?.reader?.delayTold(name, position, findSettler(session, to));
    }
  }

  #select(to: Announcement['to']): Iterable<Session> {
    const key = 'session' in to ? to.session : findOnly(to)?.session;
    if (key === undefined) return this.registry.hearers.all();
    const session = this.registry.findByKey(key);
    return session === undefined ? [] : [session];
  }

  #tellUpdate(
    to: Extract<Audience, { readonly uri: string }>,
    notification: OutboundNotification,
    delivery: Delivery,
  ): void {
    const { uri, only } = to;
    if (this.scopes.isPersonal) return void this.#tellSeeing(to, notification, delivery);
    const scopes = this.scopes.find(uri);
    for (const session of this.registry.hearers.subscribers(uri)) {
      if (isRecipient(session, only)) session.emit(notification, scopes, delivery);
    }
    this.listeners.sendToResource(uri, notification, { scopes, select: selectListeners(only) });
  }

  /** Never rejects. If the check fails, the change is hidden from the listener. */
  async #tellSeeing(
    { uri, only }: Extract<Audience, { readonly uri: string }>,
    notification: OutboundNotification,
    delivery: Delivery,
  ): Promise<void> {
    const { position } = delivery;
    const subscribers: Session[] = [];
    for (const session of this.registry.hearers.subscribers(uri)) {
      if (!isRecipient(session, only)) continue;
      // Judging it takes time, in which no later entry may overtake it.
      if (session.shared === undefined || position === undefined) subscribers.push(session);
      else session.shared.reader?.delay(position);
    }
    const tellSessions = selectInTurn(subscribers, Infinity, async (session) => {
      const scopes = await this.scopes.findFor(uri, this.views.find(session));
      if (scopes !== undefined && session.subscriptions.has(uri))
        session.emit(notification, scopes, delivery);
      return false;
    });
    const isTold = selectListeners(only);
    const findScopes = async (listener: Listener) =>
      isTold(listener) ? this.scopes.findFor(uri, listener.request) : undefined;
    await Promise.all([tellSessions, this.listeners.sendToSeeing(uri, notification, findScopes)]);
  }
}

function findOnly(to: Audience): Recipients | undefined {
  return 'only' in to ? to.only : undefined;
}

/** Returns a function that tells whether a subscription of the stateless wire is among the recipients. */
function selectListeners(only: Recipients | undefined): (listener: Listener) => boolean {
  return ({ identity, request }) => isRecipient({ identity, claims: request?.auth.claims }, only);
}
