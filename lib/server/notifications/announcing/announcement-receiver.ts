import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { OutboundNotification } from '../../../core/protocol/outbound-message.js';
import { selectInTurn } from '../../catalogue/visibility/select-in-turn.js';
import { Relay, type Delivery } from '../../relay/relay.js';
import { SessionRegistry } from '../../sessions/session-registry.js';
import type { Session } from '../../sessions/session.js';
import type { ClusterPosition } from '../../settings/cluster/cluster.interface.js';
import { ListenerRegistry, type Listener } from '../listener-registry.js';
import { SubscriberViews } from '../subscriber-views.js';
import { ANNOUNCEMENT, readNotification, type Announcement } from './announcement.js';
import { hears } from './hears.js';
import { ResourceScopes } from './resource-scopes.js';

/** Tells the clients whose streams are in this process what was announced in any. */
@Injectable()
export class AnnouncementReceiver implements OnModuleInit {
  constructor(
    private readonly registry: SessionRegistry,
    private readonly listeners: ListenerRegistry,
    private readonly scopes: ResourceScopes,
    private readonly views: SubscriberViews,
    private readonly relay: Relay,
  ) {}

  onModuleInit(): void {
    this.relay.on(ANNOUNCEMENT, (announcement, delivery) => this.#receive(announcement, delivery));
  }

  #receive(announcement: Announcement, { position }: Delivery): void {
    const { to } = announcement;
    const notification = readNotification(announcement);
    if ('uri' in to) return this.#tellUpdate(to.uri, notification, position);
    const scopes = 'scopes' in to ? to.scopes : undefined;
    for (const session of this.#select(to)) {
      if (hears(session, to)) session.emit(notification, scopes, position);
    }
    if ('area' in to) this.listeners.sendToArea(to.area, notification);
  }

  #select(to: Announcement['to']): Iterable<Session> {
    const key = 'session' in to ? to.session : undefined;
    if (key === undefined) return this.registry.hearers.all();
    const session = this.registry.findByKey(key);
    return session === undefined ? [] : [session];
  }

  #tellUpdate(uri: string, notification: OutboundNotification, position: ClusterPosition | undefined): void {
    if (this.scopes.isPersonal) return void this.#tellSeeing(uri, notification, position);
    const scopes = this.scopes.find(uri);
    for (const session of this.registry.hearers.subscribers(uri))
      session.emit(notification, scopes, position);
    this.listeners.sendToResource(uri, notification, scopes);
  }

  /** Never rejects: whoever cannot be told about is hidden from. */
  async #tellSeeing(
    uri: string,
    notification: OutboundNotification,
    position: ClusterPosition | undefined,
  ): Promise<void> {
    const subscribers: Session[] = [];
    for (const session of this.registry.hearers.subscribers(uri)) {
      // It takes time to judge it, in which nothing may overtake it that has a place behind it.
      if (session.shared === undefined || position === undefined) subscribers.push(session);
      else session.shared.reader?.delay(position);
    }
    const tellSessions = selectInTurn(subscribers, Infinity, async (session) => {
      const scopes = await this.scopes.findFor(uri, this.views.find(session));
      if (scopes !== undefined && session.subscriptions.has(uri)) session.emit(notification, scopes);
      return false;
    });
    const findScopes = ({ request }: Listener) => this.scopes.findFor(uri, request);
    await Promise.all([tellSessions, this.listeners.sendToSeeing(uri, notification, findScopes)]);
  }
}
