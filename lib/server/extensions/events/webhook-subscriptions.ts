import type { OpenObject } from '../../../core/protocol/capabilities.js';
import { whenTokenEnds } from '../../context/when-token-ends.js';
import type { ExtensionContext, ExtensionMethod } from '../../dispatch/extension.interface.js';
import type { EventsSettings } from '../../settings/extensions/events-settings.js';
import type { RequestContext } from '../../context/request-context.js';
import { HeapCost } from '../../memory/heap-costs.js';
import type { MemoryHold } from '../../memory/memory-hold.js';
import { EventError } from './event.error.js';
import type { EventFeeds } from './feeds/event-feeds.js';
import { findPosition, type FoundPosition } from './feeds/find-position.js';
import { parseArguments, parseName, parsePosition } from './parse-event-params.js';
import {
  assertNoId,
  formatWebhookId,
  parseDeliveryUrl,
  parseSecret,
  parseTtl,
} from './parse-webhook-params.js';
import { WebhookPlaces } from './webhook-places.js';
import { WebhookRelay, type RelayParts } from './webhook-relay.js';
import type {
  WebhookDelivery,
  WebhookStatus,
  WebhookSubscription,
} from './webhooks/webhook-delivery.interface.js';

/** What subscriptions work with. */
export interface WebhookParts {
  readonly feeds: EventFeeds;
  readonly bounds: EventsSettings;
  /** Absent where the server sends to no webhooks. */
  readonly delivery: WebhookDelivery | undefined;
  /** Whether a subscription ends with the token that began or refreshed it last. */
  readonly endsWithToken: boolean;
}

/** The context of a request that is counted. */
type CountedContext = Partial<Pick<RequestContext, 'memory'>>;

/** A relay that is to begin where there is none. */
interface WantedRelay extends Omit<RelayParts, 'after'> {
  readonly position: FoundPosition;
  readonly memory: MemoryHold | undefined;
}

/** The webhooks that callers have subscribed: each belongs to its caller, and lives as long as it is refreshed. */
export class WebhookSubscriptions {
  readonly methods: readonly ExtensionMethod[] = [
    { method: 'events/subscribe', isGated: false, handle: (context) => this.#subscribe(context) },
    { method: 'events/unsubscribe', isGated: false, handle: (context) => this.#unsubscribe(context) },
  ];
  readonly #relays = new Map<string, WebhookRelay>();
  /** What stops the clocks of those that end with a token. */
  readonly #clocks = new Map<string, () => void>();
  readonly #places: WebhookPlaces;
  /** Count what each relay keeps. */
  readonly #holds = new Map<string, MemoryHold>();

  constructor(private readonly parts: WebhookParts) {
    this.#places = new WebhookPlaces(parts.bounds.maximumWebhooksPerIdentity);
    parts.delivery?.changes$.subscribe(({ kind, id, owner = '' }) => {
      if (kind === 'ended') this.#forget(owner, id);
    });
  }

  /** Hands nothing over any more; receivers are not told, as their clients come back. */
  close(): void {
    for (const relay of this.#relays.values()) relay.stop();
    for (const stopClock of this.#clocks.values()) stopClock();
  }

  async #subscribe({
    params,
    auth,
    identity,
    memory,
  }: ExtensionContext & CountedContext): Promise<OpenObject> {
    const feed = this.parts.feeds.get(parseName(params), auth);
    const delivery = this.#delivery;
    assertNoId(params);
    const url = parseDeliveryUrl(params);
    const secret = parseSecret(params);
    if (identity === undefined) throw EventError.unknownCaller();
    const wanted = parsePosition(params);
    const given = await parseArguments(feed.entry, params);
    const position = findPosition(feed, wanted);
    const id = formatWebhookId({ identity, name: feed.entry.name, url, arguments: params['arguments'] });
    const recipient = { arguments: given, claims: auth.claims };
    return this.#keep(
      delivery,
      { id, url, secret, owner: identity, ttlMs: parseTtl(params) },
      { id, identity, feed, recipient, position, memory },
    );
  }

  /** Begins a subscription, or refreshes it. */
  async #keep(
    delivery: WebhookDelivery,
    subscription: WebhookSubscription,
    { memory, ...parts }: WantedRelay,
  ): Promise<OpenObject> {
    const { id, identity, feed, position } = parts;
    this.#places.hold(identity, id);
    let hold: MemoryHold | undefined;
    try {
      // Of several attempts at once the one that begins the subscription counts, whatever becomes of the others.
      hold = holdWebhook(memory);
      // A refresh tells how deliveries were going: it makes a suspended subscription go on.
      const deliveryStatus = describeStatus(delivery.findStatus(id));
      const { expiresAt } = await delivery.add(subscription);
      const known = this.#relays.get(id);
      if (known !== undefined) known.renew(parts.recipient);
      else {
        this.#begin({ ...parts, after: position.after }, delivery);
        if (hold !== undefined) this.#holds.set(id, hold);
      }
      const endsAt = this.#endWithToken(delivery, parts) ?? expiresAt;
      return {
        id,
        refreshBefore: formatTime(Math.min(endsAt, expiresAt)),
        ...deliveryStatus,
        cursor: known === undefined ? feed.formatCursor(position.after) : known.cursor,
        truncated: known === undefined && position.isTruncated,
      };
    } finally {
      this.#places.release(identity, id);
      if (this.#holds.get(id) !== hold) hold?.release();
    }
  }

  /** Begins the clock of a subscription that ends with its token, and gives that time; nothing if it does not. */
  #endWithToken(
    delivery: WebhookDelivery,
    { id, recipient: { claims } }: Omit<RelayParts, 'after'>,
  ): number | undefined {
    this.#stopClock(id);
    if (!this.parts.endsWithToken || claims?.expiresAt === undefined) return undefined;
    const { code, message } = EventError.tokenEnded();
    this.#clocks.set(
      id,
      whenTokenEnds(claims, () => void delivery.remove(id, { code, message })),
    );
    return claims.expiresAt * 1000;
  }

  #stopClock(id: string): void {
    this.#clocks.get(id)?.();
    this.#clocks.delete(id);
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

  #begin(parts: RelayParts, delivery: WebhookDelivery): void {
    const relay = new WebhookRelay(parts, delivery);
    this.#relays.set(parts.id, relay);
    this.#places.hold(parts.identity, parts.id);
    relay.start();
  }

  #forget(identity: string, id: string): void {
    const relay = this.#relays.get(id);
    if (relay === undefined) return;
    relay.stop();
    this.#stopClock(id);
    this.#holds.get(id)?.release();
    this.#holds.delete(id);
    this.#relays.delete(id);
    this.#places.release(identity, id);
  }
}

/** What is kept of the request that begins a webhook is kept longer than the request. */
function holdWebhook(memory: MemoryHold | undefined): MemoryHold | undefined {
  memory?.add(HeapCost.webhook);
  return memory?.passOn();
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
