import type { OpenObject } from '../../../core/protocol/capabilities.js';
import { whenTokenEnds } from '../../context/authentication.js';
import { HeapCost } from '../../memory/memory-limits.js';
import type { MemoryBudget, MemoryReservation } from '../../memory/memory-budget.js';
import { nameAccount } from '../../memory/memory-account.js';
import type { EventsSettings } from '../../settings/extensions/events-options.js';
import { EventError } from './event.error.js';
import { assertNotEnded, findPosition, type FoundPosition } from './feeds/find-position.js';
import type { EventFeeds } from './feeds/event-feeds.js';
import type { SubscribeRequest, WebhookRequest } from './subscribe-params.js';
import { WebhookPump } from './webhook-pump.js';
import type { HttpDelivery } from './webhooks/http-delivery.js';
import type { WebhookStatus, WebhookProblem } from './webhooks/webhook-delivery.interface.js';

/** The parts of webhook subscriptions. */
interface WebhookSubscriptionsParts {
  readonly feeds: EventFeeds;
  readonly limits: EventsSettings;
  readonly delivery: HttpDelivery;
  /** Whether a subscription ends when the token that created or last refreshed it expires. */
  readonly endsWithToken: boolean;
  /** Counts each subscription's memory. @default memory is not counted */
  readonly memory?: MemoryBudget | undefined;
}

/** A webhook subscription, as last requested, with its expiry time. */
export interface ActiveWebhook {
  readonly request: SubscribeRequest;
  readonly expiresAt: number;
  /** The previous secret, which still signs for a while. */
  readonly formerSecret?: string;
}

/** An active subscription and its state in this process. */
interface Entry extends ActiveWebhook {
  readonly pump: WebhookPump;
  readonly hold: MemoryReservation | undefined;
  /** Stops the timer that ends the subscription with its token. */
  stopClock: () => void;
  /** The cursor at which it began. */
  readonly begun: string | null;
  /** The event number at the last check. */
  lastAfter: number | undefined;
}

/**
 * Holds callers' webhook subscriptions and feeds their events to the delivery. A subscription belongs to its caller,
 * and expires unless it is refreshed.
 */
export class WebhookSubscriptions {
  readonly #entries = new Map<string, Entry>();
  readonly #limits: WebhookLimits;

  constructor(private readonly parts: WebhookSubscriptionsParts) {
    this.#limits = new WebhookLimits(parts.limits.maxWebhooksPerCaller);
    parts.delivery.changes$.subscribe(({ kind, id }) => {
      if (kind === 'ended') this.#drop(id);
    });
  }

  /** Lists the ids of active subscriptions. */
  list(): readonly string[] {
    return [...this.#entries.keys()];
  }

  find(id: string): ActiveWebhook | undefined {
    return this.#entries.get(id);
  }

  /** Returns whether a receiver may have progressed since the last check. */
  hasMoved(id: string): boolean {
    const entry = this.#entries.get(id);
    if (entry === undefined) return false;
    const { isIdle } = this.parts.delivery.findProgress(id) ?? { isIdle: true };
    const after = isIdle ? entry.pump.after : -1;
    const hasMoved = !isIdle || entry.lastAfter !== after;
    entry.lastAfter = after;
    return hasMoved;
  }

  /** Returns the cursor after the last event that was delivered or given up on, or `undefined` if it is unknown. */
  findCursor(id: string): string | undefined {
    const progress = this.parts.delivery.findProgress(id);
    if (progress?.isIdle === false) return progress.cursor;
    return this.#entries.get(id)?.pump.cursor ?? undefined;
  }

  /**
   * Subscribes, refreshes or unsubscribes a webhook.
   *
   * @param memory counts the request and then the webhook. Without it, the webhook counts toward its caller
   * @throws {McpError} if the request is refused
   */
  async run(request: WebhookRequest, memory?: MemoryReservation): Promise<OpenObject> {
    if (request.kind === 'subscribe') return this.#subscribe(request, memory);
    // Ids are derived from the caller, so another caller's subscription looks like a missing one.
    if (!this.parts.delivery.remove(request.id)) throw EventError.unknownSubscription();
    return {};
  }

  /** Restores another process's webhook after the last event that its receiver received. */
  async restore(
    { request, expiresAt, formerSecret }: ActiveWebhook,
    cursor: string | undefined,
  ): Promise<void> {
    const { delivery, feeds } = this.parts;
    const { id, identity, url, secret, name } = request;
    const feed = feeds.find(name);
    if (feed === undefined || this.#entries.has(id)) return;
    await feed.catchUp(cursor);
    const position = findPosition(feed, { cursor, maxAgeMs: undefined });
    const subscription = { id, url, secret, owner: nameAccount(identity) };
    delivery.restore({ ...subscription, secret: formerSecret ?? secret }, expiresAt);
    if (formerSecret !== undefined) delivery.restore(subscription, expiresAt);
    this.#begin({ request, expiresAt, ...(formerSecret !== undefined && { formerSecret }) }, position);
    if (position.isTruncated)
      delivery.skip(id, feed.formatCursor(position.after, position.known) ?? undefined);
    this.#endWithToken(request);
  }

  /** Stops feeding events. Receivers are not notified, because another process continues their subscriptions. */
  close(): void {
    for (const { pump, stopClock } of this.#entries.values()) {
      pump.stop();
      stopClock();
    }
  }

  /** Creates a subscription or refreshes it. */
  async #subscribe(request: SubscribeRequest, memory: MemoryReservation | undefined): Promise<OpenObject> {
    const { delivery, feeds } = this.parts;
    const { id, identity, url, secret, ttlMs, name, position: wanted } = request;
    const feed = feeds.find(name);
    if (feed === undefined) throw EventError.unknownEvent(name);
    const { cursor, maxAgeMs } = wanted;
    await feed.catchUp(cursor);
    const position = findPosition(feed, { cursor, maxAgeMs });
    assertNotEnded(feed, position);
    this.#limits.hold(identity, id);
    let hold: MemoryReservation | undefined;
    try {
      // Of several concurrent attempts, only the one that creates the subscription is counted.
      hold = this.#hold(identity, memory);
      // A refresh returns the delivery status and resumes a suspended subscription.
      const deliveryStatus = describeStatus(delivery.findStatus(id));
      const { expiresAt } = await delivery.add({ id, url, secret, owner: nameAccount(identity), ttlMs });
      const known = this.#entries.get(id);
      if (known === undefined) this.#begin({ request, expiresAt }, position, hold);
      else this.#refresh(known, { request, expiresAt });
      const endsAt = this.#endWithToken(request) ?? expiresAt;
      return {
        id,
        refreshBefore: formatTime(Math.min(endsAt, expiresAt)),
        ...deliveryStatus,
        // Queued events have not reached the receiver yet, so the cursor must not be after them.
        cursor:
          known === undefined
            ? feed.formatCursor(position.after, position.known)
            : (this.findCursor(id) ?? known.begun),
        truncated: known === undefined && position.isTruncated,
      };
    } finally {
      this.#limits.release(identity, id);
      if (this.#entries.get(id)?.hold !== hold) hold?.release();
    }
  }

  /** A webhook outlives the request that creates it, and so does its memory count. */
  #hold(identity: string, memory: MemoryReservation | undefined): MemoryReservation | undefined {
    if (memory === undefined) return this.parts.memory?.hold({ identity }, HeapCost.webhook);
    memory.add(HeapCost.webhook);
    return memory.transfer();
  }

  #begin(webhook: ActiveWebhook, { after, known }: FoundPosition, hold?: MemoryReservation): void {
    const { id, identity, name, given, claims } = webhook.request;
    const feed = this.parts.feeds.find(name);
    if (feed === undefined) return;
    const recipient = { arguments: given, claims };
    const pump = new WebhookPump({ id, identity, feed, recipient, after, known }, this.parts.delivery);
    const begun = feed.formatCursor(after, known);
    this.#entries.set(id, {
      ...webhook,
      pump,
      hold,
      begun,
      stopClock: () => undefined,
      lastAfter: undefined,
    });
    this.#limits.hold(identity, id);
    pump.start();
  }

  #refresh(known: Entry, { request, expiresAt }: ActiveWebhook): void {
    known.pump.renew({ arguments: request.given, claims: request.claims });
    const isNew = request.secret !== known.request.secret;
    const formerSecret = isNew ? known.request.secret : known.formerSecret;
    this.#entries.set(request.id, {
      ...known,
      request,
      expiresAt,
      ...(formerSecret !== undefined && { formerSecret }),
    });
  }

  /**
   * Starts the timer that ends a subscription with its token, and returns that time. Returns `undefined` if it does not
   * end with its token.
   */
  #endWithToken({ id, claims }: SubscribeRequest): number | undefined {
    const entry = this.#entries.get(id);
    entry?.stopClock();
    if (entry === undefined || !this.parts.endsWithToken || claims?.expiresAt === undefined) return undefined;
    const ended = EventError.tokenEnded().toJSON();
    entry.stopClock = whenTokenEnds(claims, () => void this.parts.delivery.remove(id, ended));
    return claims.expiresAt * 1000;
  }

  #drop(id: string): void {
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    this.#entries.delete(id);
    entry.pump.stop();
    entry.stopClock();
    entry.hold?.release();
    this.#limits.release(entry.request.identity, id);
  }
}

/** Describes the delivery status to the caller; empty before the first delivery. */
function describeStatus(status: WebhookStatus | undefined): OpenObject {
  if (status === undefined) return {};
  const { isActive, lastDeliveryAt, lastError, failedSince } = status;
  if (isActive && lastDeliveryAt === undefined && lastError === undefined) return {};
  return {
    deliveryStatus: {
      active: isActive,
      ...(lastDeliveryAt !== undefined && { lastDeliveryAt: formatTime(lastDeliveryAt) }),
      lastError: lastError === undefined ? null : formatDeliveryError(lastError),
      ...(failedSince !== undefined && { failedSince: formatTime(failedSince) }),
    },
  };
}

function formatTime(ms: number): string {
  return new Date(ms).toISOString();
}

/** Limits each caller's webhooks, including those being created. A webhook that is held twice counts once. */
export class WebhookLimits {
  /** How many times each webhook is held, by caller. */
  readonly #held = new Map<string, Map<string, number>>();

  constructor(private readonly limit: number) {}

  /** @throws {EventError} -32013 if the caller has reached the limit */
  hold(identity: string, id: string): void {
    const caller = nameAccount(identity);
    const own = this.#held.get(caller) ?? new Map<string, number>();
    const times = own.get(id) ?? 0;
    if (times === 0 && own.size >= this.limit) throw EventError.tooManySubscriptions(this.limit);
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

/** The errors that the draft specification defines. */
type DraftError = Exclude<WebhookProblem, 'http_3xx_redirect'>;

/** Maps an error to its name in the draft specification, which has none for redirects. */
function formatDeliveryError(problem: WebhookProblem): DraftError {
  return problem === 'http_3xx_redirect' ? 'http_4xx' : problem;
}
