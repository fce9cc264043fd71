import type { ExtensionContext, ExtensionMethod } from '../../dispatch/extension.interface.js';
import type { OpenObject } from '../../protocol/capabilities.js';
import type { EventsSettings } from '../../settings/events-settings.js';
import { EventError } from './event.error.js';
import type { EventFeeds } from './feeds/event-feeds.js';
import { findPosition } from './feeds/find-position.js';
import { parseArguments, parseName, parsePosition } from './parse-event-params.js';
import {
  assertNoId,
  formatWebhookId,
  parseDeliveryUrl,
  parseSecret,
  parseTtl,
} from './parse-webhook-params.js';
import { WebhookRelay, type RelayParts } from './webhook-relay.js';
import type { WebhookDelivery, WebhookStatus } from './webhooks/webhook-delivery.interface.js';

/** What subscriptions work with. */
export interface WebhookParts {
  readonly feeds: EventFeeds;
  readonly bounds: EventsSettings;
  /** Absent where the server sends to no webhooks. */
  readonly delivery: WebhookDelivery | undefined;
}

/** The webhooks that callers have subscribed: each belongs to its caller, and lives as long as it is refreshed. */
export class WebhookSubscriptions {
  readonly methods: readonly ExtensionMethod[] = [
    { method: 'events/subscribe', isGated: false, handle: (context) => this.#subscribe(context) },
    { method: 'events/unsubscribe', isGated: false, handle: (context) => this.#unsubscribe(context) },
  ];
  readonly #relays = new Map<string, WebhookRelay>();
  /** The ids of each caller, with those that are about to begin. */
  readonly #ids = new Map<string, Set<string>>();

  constructor(private readonly parts: WebhookParts) {
    parts.delivery?.changes$.subscribe(({ kind, id, owner = '' }) => {
      if (kind === 'ended') this.#forget(owner, id);
    });
  }

  /** Hands nothing over any more; receivers are not told, as their clients come back. */
  close(): void {
    for (const relay of this.#relays.values()) relay.stop();
  }

  async #subscribe({ params, auth, identity }: ExtensionContext): Promise<OpenObject> {
    const feed = this.parts.feeds.get(parseName(params), auth);
    const delivery = this.#delivery;
    assertNoId(params);
    const url = parseDeliveryUrl(params);
    const secret = parseSecret(params);
    if (identity === undefined) throw EventError.unknownCaller();
    const wanted = parsePosition(params);
    const given = await parseArguments(feed.entry, params);
    const id = formatWebhookId({ identity, name: feed.entry.name, url, arguments: params['arguments'] });
    this.#reserve(identity, id);
    // A refresh tells how deliveries were going: it makes a suspended subscription go on.
    const deliveryStatus = describeStatus(delivery.findStatus(id));
    const { expiresAt } = await this.#add({ id, url, secret, owner: identity, ttlMs: parseTtl(params) });
    const granted = { id, refreshBefore: formatTime(expiresAt), ...deliveryStatus };
    const known = this.#relays.get(id);
    if (known !== undefined) return { ...granted, cursor: known.cursor, truncated: false };
    const { after, isTruncated } = findPosition(feed, wanted);
    const recipient = { arguments: given, claims: auth.claims };
    this.#begin({ id, identity, feed, recipient, after }, delivery);
    return { ...granted, cursor: feed.formatCursor(after), truncated: isTruncated };
  }

  /** Nothing tells apart what never was and what is somebody else's: an id is made of who asks. */
  #unsubscribe({ params, identity }: ExtensionContext): OpenObject {
    const delivery = this.#delivery;
    const name = parseName(params);
    const url = parseDeliveryUrl(params);
    if (identity === undefined) throw EventError.unknownCaller();
    const id = formatWebhookId({ identity, name, url, arguments: params['arguments'] });
    if (!delivery.remove(id)) throw EventError.unknownSubscription();
    return {};
  }

  get #delivery(): WebhookDelivery {
    if (this.parts.delivery === undefined) throw EventError.unsupportedDelivery('webhook');
    return this.parts.delivery;
  }

  async #add(
    subscription: Parameters<WebhookDelivery['add']>[0] & { owner: string },
  ): Promise<WebhookStatus> {
    const { id, owner } = subscription;
    try {
      return await this.#delivery.add(subscription);
    } catch (error) {
      if (!this.#relays.has(id)) this.#forget(owner, id);
      throw error;
    }
  }

  #begin(parts: RelayParts, delivery: WebhookDelivery): void {
    const relay = new WebhookRelay(parts, delivery);
    this.#relays.set(parts.id, relay);
    this.#claim(parts.identity, parts.id);
    relay.start();
  }

  #reserve(identity: string, id: string): void {
    const { maximumWebhooksPerIdentity: most } = this.parts.bounds;
    const own = this.#ids.get(identity);
    if (own !== undefined && !own.has(id) && own.size >= most) throw EventError.tooManySubscriptions(most);
    this.#claim(identity, id);
  }

  #claim(identity: string, id: string): void {
    const own = this.#ids.get(identity) ?? new Set();
    this.#ids.set(identity, own.add(id));
  }

  #forget(identity: string, id: string): void {
    this.#relays.get(id)?.stop();
    this.#relays.delete(id);
    const own = this.#ids.get(identity);
    if (own?.delete(id) === true && own.size === 0) this.#ids.delete(identity);
  }
}

/** Gives nothing where nothing was sent yet. */
function describeStatus(status: WebhookStatus | undefined): OpenObject {
  if (status === undefined) return {};
  const { isActive, lastDeliveryAt, lastError, failedSince } = status;
  if (isActive && lastDeliveryAt === undefined && lastError === undefined) return {};
  return {
    deliveryStatus: {
      active: isActive,
      ...(lastDeliveryAt !== undefined && { lastDeliveryAt: formatTime(lastDeliveryAt) }),
      lastError: lastError ?? null,
      ...(failedSince !== undefined && { failedSince: formatTime(failedSince) }),
    },
  };
}

function formatTime(ms: number): string {
  return new Date(ms).toISOString();
}
