import type { OpenObject } from '../../../core/protocol/capabilities.js';
import { whenTokenEnds } from '../../context/authentication.js';
import { HeapCost } from '../../memory/memory-limits.js';
import type { MemoryBudget, MemoryHold } from '../../memory/memory-budget.js';
import { nameAccount } from '../../memory/memory-account.js';
import type { EventsSettings } from '../../settings/extensions/events-options.js';
import { EventError } from './event.error.js';
import { assertGoesOn, findPosition, type FoundPosition } from './feeds/find-position.js';
import type { EventFeeds } from './feeds/event-feeds.js';
import type { SubscribeAsk, WebhookAsk } from './subscribe-params.js';
import { WebhookRelay } from './webhook-pump.js';
import type { WebhookDelivery, WebhookStatus, WebhookFault } from './webhooks/webhook-delivery.interface.js';

/** The parts that keep webhooks. */
interface WebhookOfficeParts {
  readonly feeds: EventFeeds;
  readonly bounds: EventsSettings;
  readonly delivery: WebhookDelivery;
  /** Whether a subscription ends with the token that began or refreshed it last. */
  readonly endsWithToken: boolean;
  /** Counts what each relay keeps. @default nothing is counted */
  readonly memory?: MemoryBudget | undefined;
}

/** A webhook as it was asked for last, and until when it lives. */
export interface KeptWebhook {
  readonly ask: SubscribeAsk;
  readonly expiresAt: number;
  /** The secret before, which continues signing for a while. */
  readonly formerSecret?: string;
}

/** What there is here of one webhook. */
interface Entry extends KeptWebhook {
  readonly relay: WebhookRelay;
  readonly hold: MemoryHold | undefined;
  /** Stops the clock of one that ends with a token. */
  stopClock: () => void;
  /** The cursor that it began behind. */
  readonly begun: string | null;
  /** Where it stood at the last look. */
  looked: number | undefined;
}

/** Keeps the webhooks that callers have subscribed, and sends them their events: each belongs to its caller, and lives as long as it is refreshed. */
export class WebhookOffice {
  readonly #entries = new Map<string, Entry>();
  readonly #places: WebhookPlaces;

  constructor(private readonly parts: WebhookOfficeParts) {
    this.#places = new WebhookPlaces(parts.bounds.maxWebhooksPerCaller);
    parts.delivery.changes$.subscribe(({ kind, id }) => {
      if (kind === 'ended') this.#forget(id);
    });
  }

  /** Lists the ids of what is kept. */
  list(): readonly string[] {
    return [...this.#entries.keys()];
  }

  find(id: string): KeptWebhook | undefined {
    return this.#entries.get(id);
  }

  /** Tells whether a receiver may be further than at the last look. */
  hasMoved(id: string): boolean {
    const entry = this.#entries.get(id);
    if (entry === undefined) return false;
    const { isIdle } = this.parts.delivery.findProgress(id) ?? { isIdle: true };
    const place = isIdle ? entry.relay.after : -1;
    const hasMoved = !isIdle || entry.looked !== place;
    entry.looked = place;
    return hasMoved;
  }

  /** Returns the cursor behind the last event that a receiver has, or will not get, or `undefined` if that is not known. */
  findCursor(id: string): string | undefined {
    const progress = this.parts.delivery.findProgress(id);
    if (progress?.isIdle === false) return progress.cursor;
    return this.#entries.get(id)?.relay.cursor ?? undefined;
  }

  /**
   * Does what a caller wants.
   *
   * @param memory counts the request, which the webhook is counted with; what another process took is counted for its caller
   * @throws {McpError} if it is refused
   */
  async run(ask: WebhookAsk, memory?: MemoryHold): Promise<OpenObject> {
    if (ask.kind === 'subscribe') return this.#subscribe(ask, memory);
    // A missing subscription and one of another caller look the same, because an id is derived from the caller.
    if (!this.parts.delivery.remove(ask.id)) throw EventError.unknownSubscription();
    return {};
  }

  /** Takes up a webhook that another process kept, behind the last event that its receiver has. */
  async restore({ ask, expiresAt, formerSecret }: KeptWebhook, cursor: string | undefined): Promise<void> {
    const { delivery, feeds } = this.parts;
    const { id, identity, url, secret, name } = ask;
    const feed = feeds.find(name);
    if (feed === undefined || this.#entries.has(id)) return;
    await feed.reach(cursor);
    const position = findPosition(feed, { cursor, maxAgeMs: undefined });
    const subscription = { id, url, secret, owner: nameAccount(identity) };
    delivery.restore({ ...subscription, secret: formerSecret ?? secret }, expiresAt);
    if (formerSecret !== undefined) delivery.restore(subscription, expiresAt);
    this.#begin({ ask, expiresAt, ...(formerSecret !== undefined && { formerSecret }) }, position);
    if (position.isTruncated)
      delivery.skip(id, feed.formatCursor(position.after, position.known) ?? undefined);
    this.#endWithToken(ask);
  }

  /** Hands nothing over any more; receivers are not told, as their clients come back. */
  close(): void {
    for (const { relay, stopClock } of this.#entries.values()) {
      relay.stop();
      stopClock();
    }
  }

  /** Begins a subscription, or refreshes it. */
  async #subscribe(ask: SubscribeAsk, memory: MemoryHold | undefined): Promise<OpenObject> {
    const { delivery, feeds } = this.parts;
    const { id, identity, url, secret, ttlMs, name, position: wanted } = ask;
    const feed = feeds.find(name);
    if (feed === undefined) throw EventError.unknownEvent(name);
    const { cursor, maxAgeMs } = wanted;
    await feed.reach(cursor);
    const position = findPosition(feed, { cursor, maxAgeMs });
    assertGoesOn(feed, position);
    this.#places.hold(identity, id);
    let hold: MemoryHold | undefined;
    try {
      // Of several attempts at once, the one that begins the subscription counts.
      hold = this.#hold(identity, memory);
      // A refresh reports the state of deliveries, and resumes a suspended subscription.
      const deliveryStatus = describeStatus(delivery.findStatus(id));
      const { expiresAt } = await delivery.add({ id, url, secret, owner: nameAccount(identity), ttlMs });
      const known = this.#entries.get(id);
      if (known === undefined) this.#begin({ ask, expiresAt }, position, hold);
      else this.#refresh(known, { ask, expiresAt });
      const endsAt = this.#endWithToken(ask) ?? expiresAt;
      return {
        id,
        refreshBefore: formatTime(Math.min(endsAt, expiresAt)),
        ...deliveryStatus,
        // Waiting events have not reached the receiver. A subscription that began again after them would lose them.
        cursor:
          known === undefined
            ? feed.formatCursor(position.after, position.known)
            : (this.findCursor(id) ?? known.begun),
        truncated: known === undefined && position.isTruncated,
      };
    } finally {
      this.#places.release(identity, id);
      if (this.#entries.get(id)?.hold !== hold) hold?.release();
    }
  }

  /** What is kept of the request that begins a webhook is kept longer than the request. */
  #hold(identity: string, memory: MemoryHold | undefined): MemoryHold | undefined {
    if (memory === undefined) return this.parts.memory?.hold({ identity }, HeapCost.webhook);
    memory.add(HeapCost.webhook);
    return memory.transfer();
  }

  #begin(kept: KeptWebhook, { after, known }: FoundPosition, hold?: MemoryHold): void {
    const { id, identity, name, given, claims } = kept.ask;
    const feed = this.parts.feeds.find(name);
    if (feed === undefined) return;
    const recipient = { arguments: given, claims };
    const relay = new WebhookRelay({ id, identity, feed, recipient, after, known }, this.parts.delivery);
    const begun = feed.formatCursor(after, known);
    this.#entries.set(id, { ...kept, relay, hold, begun, stopClock: () => undefined, looked: undefined });
    this.#places.hold(identity, id);
    relay.start();
  }

  #refresh(known: Entry, { ask, expiresAt }: KeptWebhook): void {
    known.relay.renew({ arguments: ask.given, claims: ask.claims });
    const isNew = ask.secret !== known.ask.secret;
    const formerSecret = isNew ? known.ask.secret : known.formerSecret;
    this.#entries.set(ask.id, {
      ...known,
      ask,
      expiresAt,
      ...(formerSecret !== undefined && { formerSecret }),
    });
  }

  /** Begins the clock of a subscription that ends with its token, and gives that time. Returns `undefined` if it does not. */
  #endWithToken({ id, claims }: SubscribeAsk): number | undefined {
    const entry = this.#entries.get(id);
    entry?.stopClock();
    if (entry === undefined || !this.parts.endsWithToken || claims?.expiresAt === undefined) return undefined;
    const ended = EventError.tokenEnded().toJSON();
    entry.stopClock = whenTokenEnds(claims, () => void this.parts.delivery.remove(id, ended));
    return claims.expiresAt * 1000;
  }

  #forget(id: string): void {
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    this.#entries.delete(id);
    entry.relay.stop();
    entry.stopClock();
    entry.hold?.release();
    this.#places.release(entry.ask.identity, id);
  }
}

/** Reports the state of deliveries to a caller. The report is empty if nothing was sent yet. */
function describeStatus(status: WebhookStatus | undefined): OpenObject {
  if (status === undefined) return {};
  const { isActive, lastDeliveryAt, lastError, failedSince } = status;
  if (isActive && lastDeliveryAt === undefined && lastError === undefined) return {};
  return {
    deliveryStatus: {
      active: isActive,
      ...(lastDeliveryAt !== undefined && { lastDeliveryAt: formatTime(lastDeliveryAt) }),
      lastError: lastError === undefined ? null : formatFault(lastError),
      ...(failedSince !== undefined && { failedSince: formatTime(failedSince) }),
    },
  };
}

function formatTime(ms: number): string {
  return new Date(ms).toISOString();
}

/** Bounds the webhooks of each caller, including those that are about to begin. A webhook that is held twice takes one place. */
export class WebhookPlaces {
  /** By caller: how often each webhook is held. */
  readonly #held = new Map<string, Map<string, number>>();

  constructor(private readonly most: number) {}

  /** @throws {EventError} -32013 if the caller has as many as there may be */
  hold(identity: string, id: string): void {
    const caller = nameAccount(identity);
    const own = this.#held.get(caller) ?? new Map<string, number>();
    const times = own.get(id) ?? 0;
    if (times === 0 && own.size >= this.most) throw EventError.tooManySubscriptions(this.most);
    this.#held.set(caller, own.set(id, times + 1));
  }

  release(identity: string, id: string): void {
    const caller = nameAccount(identity);
    const own = this.#held.get(caller);
    const times = own?.get(id) ?? 0;
    if (times > 1) own?.set(id, times - 1);
    else own?.delete(id);
    if (own?.size === 0) this.#held.delete(caller);
  }
}

/** What the sketch names for subscribers. */
type ToldFault = Exclude<WebhookFault, 'http_3xx_redirect'>;

/** Names a fault as subscribers are told it: a redirect is one of the receiver's answers that take nothing. */
function formatFault(fault: WebhookFault): ToldFault {
  return fault === 'http_3xx_redirect' ? 'http_4xx' : fault;
}
