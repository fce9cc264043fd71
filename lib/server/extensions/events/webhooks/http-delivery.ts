import { setMaxListeners } from 'node:events';
import { Subject, type Observable } from 'rxjs';
import { McpError } from '../../../../core/protocol/mcp.error.js';
import { LONGEST_TIMER_MS } from '../../../../core/checks/option-checks.js';
import { FairSlots } from '../../../../core/async/concurrency.js';
import { callAt } from '../../../../core/async/timers.js';
import { settleWithin } from '../../../../core/async/timeouts.js';
import { isHeaderWord } from '../../../../core/words/words.js';
import type { WebhookSettings } from '../../../settings/extensions/events-options.js';
import { QueuedBytes } from './message-queue.js';
import { EndpointVerification } from './endpoint-verification.js';
import { parseReceiverUrl } from './receiver-address.js';
import { createMessageId, formatMessageId, parseSecret } from './sign-message.js';
import { WebhookChannel, type CheckedSubscription } from './webhook-channel.js';
import type {
  WebhookChange,
  WebhookEnd,
  WebhookEvent,
  WebhookTermination,
  WebhookProgress,
  WebhookStatus,
  WebhookSubscription,
} from './webhook-delivery.interface.js';
import { WebhookLimitError, WebhookOwnerError } from './webhook.error.js';

/** An active subscription. */
interface Entry {
  readonly channel: WebhookChannel;
  readonly expiresAt: number;
  readonly stopClock: () => void;
}

/**
 * Delivers events to webhook receivers over HTTP: signed, in order, with retries, and never to addresses that are off
 * limits to subscribers. Each subscription has a bounded queue; queues are sent concurrently.
 *
 * @example
 * const delivery = new HttpDelivery(WEBHOOKS.build({ timeoutMs: 5_000 }));
 * await delivery.add({ id: 'sub_1', url: 'https://hooks.example.com/', secret });
 * delivery.deliver('sub_1', { id: 'evt_1', body: { name: 'ticket.closed' } });
 *
 * @see Standard Webhooks 1.0.0
 */
export class HttpDelivery {
  readonly #slots: FairSlots;
  readonly #confirmations: EndpointVerification;
  readonly #bytes: QueuedBytes;
  readonly #entries = new Map<string, Entry>();
  readonly #changes = new Subject<WebhookChange>();
  readonly #bodies = new WeakMap<WebhookEvent, Buffer>();
  readonly #farewells = new Set<Promise<void>>();
  readonly #stop = new AbortController();
  #closed: Promise<void> | undefined;

  constructor(private readonly settings: WebhookSettings) {
    this.#slots = new FairSlots({
      slots: this.settings.maxRequests,
      perCaller: this.settings.maxRequestsPerCaller,
      perTarget: this.settings.maxRequestsPerReceiver,
    });
    this.#confirmations = new EndpointVerification(this.settings, this.#slots);
    const { maxQueuedBytes, maxQueuedBytesPerCaller } = this.settings;
    this.#bytes = new QueuedBytes(maxQueuedBytes, maxQueuedBytesPerCaller);
    // Each termination and verification adds a listener, and Node warns about more than ten.
    setMaxListeners(0, this.#stop.signal);
  }

  /** Emits subscription changes. Completes when the delivery is closed. */
  get changes$(): Observable<WebhookChange> {
    return this.#changes.asObservable();
  }

  /**
   * Adds a subscription, or refreshes the one with this id, which restarts its lifetime and resumes suspended
   * deliveries. A new secret replaces the previous one, which also signs for a while. A receiver that is new to its
   * owner must confirm that it wants events.
   *
   * @throws {WebhookReceiverError} if the URL is not allowed, resolves to a non-public address, or the receiver does
   * not confirm
   * @throws {WebhookSecretError} if the secret is invalid
   * @throws {WebhookLimitError} if the limit on subscriptions or on verifications for its host is reached
   * @throws {WebhookOwnerError} if the id belongs to another owner
   */
  async add(subscription: WebhookSubscription): Promise<WebhookStatus> {
    const checked = { ...subscription, receiver: parseReceiverUrl(subscription.url, this.settings) };
    parseSecret(subscription.secret);
    assertId(subscription.id);
    const known = this.#findKnown(subscription);
    const isConfirmed = known?.channel.subscription.receiver.href === checked.receiver.href;
    if (!isConfirmed) await this.#confirm(checked);
    return this.#keep(checked);
  }

  /**
   * Restores another process's subscription, whose receiver has already confirmed. A repeated call replaces the
   * secret.
   *
   * @throws {WebhookReceiverError} if the URL is not allowed
   * @throws {WebhookSecretError} if the secret is invalid
   */
  restore(subscription: WebhookSubscription, expiresAt: number): void {
    const checked = { ...subscription, receiver: parseReceiverUrl(subscription.url, this.settings) };
    parseSecret(subscription.secret);
    const known = this.#findKnown(subscription);
    if (known !== undefined) return void known.channel.refresh(checked);
    const { id, owner } = subscription;
    const stopClock = callAt(expiresAt, () => this.#end(id, 'expired'));
    this.#entries.set(id, { channel: this.#createChannel(checked), expiresAt, stopClock });
    this.#tell({ kind: 'added', id, owner });
  }

  /** Queues an event. Returns false if the subscription does not exist or is suspended. */
  deliver(id: string, event: WebhookEvent): boolean {
    const entry = this.#entries.get(id);
    if (entry === undefined || this.#closed !== undefined) return false;
    const { cursor } = event;
    const body = this.#serialize(event);
    return entry.channel.push({ id: formatMessageId(event.id), body, cursor, isGap: false });
  }

  /** Notifies the receiver of lost events. `cursor` is the cursor after the last of them. */
  skip(id: string, cursor?: string): void {
    if (this.#closed === undefined) this.#entries.get(id)?.channel.skip(cursor);
  }

  /**
   * Ends a subscription immediately. Returns whether it existed. The termination notice is sent once, without
   * retries.
   */
  remove(id: string, farewell?: WebhookTermination): boolean {
    const entry = this.#entries.get(id);
    if (entry === undefined) return false;
    this.#end(id, 'removed');
    if (farewell !== undefined) this.#bid(entry.channel, farewell);
    return true;
  }

  /**
   * Ends a subscription once its queue is empty. Returns whether it existed. The termination notice is sent last,
   * without retries.
   */
  finish(id: string, farewell?: WebhookTermination): boolean {
    const entry = this.#entries.get(id);
    entry?.channel.onceEmpty(() => this.remove(id, farewell));
    return entry !== undefined;
  }

  /** Finds the deliveries' progress. */
  findProgress(id: string): WebhookProgress | undefined {
    return this.#entries.get(id)?.channel.progress;
  }

  /** Finds the delivery status. */
  findStatus(id: string): WebhookStatus | undefined {
    const entry = this.#entries.get(id);
    return entry && describe(entry);
  }

  /** Stops accepting events. Sends queued ones within `closeTimeoutMs`, and then aborts running requests. */
  close(): Promise<void> {
    this.#closed ??= this.#finish();
    return this.#closed;
  }

  async #confirm(subscription: CheckedSubscription): Promise<void> {
    try {
      await this.#confirmations.assertConfirmed(subscription, this.#stop.signal);
    } catch (error) {
      throw this.#closed === undefined ? error : McpError.shuttingDown();
    }
  }

  /** The state may have changed during verification, so everything is checked again. */
  #keep(subscription: CheckedSubscription): WebhookStatus {
    const { id, owner, ttlMs } = subscription;
    const known = this.#findKnown(subscription);
    const wasSuspended = known?.channel.refresh(subscription) ?? false;
    known?.stopClock();
    this.#confirmations.prolong(subscription);
    const entry = {
      channel: known?.channel ?? this.#createChannel(subscription),
      ...this.#beginTime(id, ttlMs),
    };
    this.#entries.set(id, entry);
    this.#tell({ kind: known === undefined ? 'added' : 'refreshed', id, owner });
    if (wasSuspended) this.#tell({ kind: 'resumed', id, owner });
    return describe(entry);
  }

  /** Finds a subscription by id, and checks its owner or the limit for a new one. */
  #findKnown({ id, owner }: WebhookSubscription): Entry | undefined {
    if (this.#closed !== undefined) throw McpError.shuttingDown();
    const known = this.#entries.get(id);
    if (known === undefined && this.#entries.size >= this.settings.maxSubscriptions) {
      throw new WebhookLimitError('subscriptions');
    }
    if (known !== undefined && known.channel.subscription.owner !== owner) throw new WebhookOwnerError();
    return known;
  }

  #createChannel(subscription: CheckedSubscription): WebhookChannel {
    const { id, owner } = subscription;
    const surroundings = { settings: this.settings, slots: this.#slots, bytes: this.#bytes };
    return new WebhookChannel(subscription, surroundings, {
      onLost: (events) => this.#tell({ kind: 'lost', id, owner, events }),
      onSuspended: (problem) => this.#tell({ kind: 'suspended', id, owner, problem }),
    });
  }

  #beginTime(id: string, askedMs = this.settings.ttlMs): Pick<Entry, 'expiresAt' | 'stopClock'> {
    const { minTtlMs, maxTtlMs } = this.settings;
    const ttlMs = Math.min(Math.max(askedMs, minTtlMs), maxTtlMs, LONGEST_TIMER_MS);
    const expiresAt = Date.now() + ttlMs;
    return { expiresAt, stopClock: callAt(expiresAt, () => this.#end(id, 'expired')) };
  }

  #end(id: string, reason: WebhookEnd): void {
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    this.#entries.delete(id);
    entry.stopClock();
    const { progress } = entry.channel;
    entry.channel.end();
    const { cursor } = progress;
    const { owner } = entry.channel.subscription;
    this.#tell({ kind: 'ended', id, owner, reason, ...(cursor !== undefined && { cursor }) });
  }

  /** Terminations bypass the queue, so they have a separate limit. */
  #bid(channel: WebhookChannel, error: WebhookTermination): void {
    if (this.#farewells.size >= this.settings.maxRequests) return;
    const id = createMessageId('terminated');
    const body = Buffer.from(JSON.stringify({ type: 'terminated', error }));
    const sent = channel.sendOnce({ id, body, isGap: false }, this.#stop.signal);
    this.#farewells.add(sent);
    void sent.finally(() => this.#farewells.delete(sent));
  }

  #serialize(event: WebhookEvent): Buffer {
    const known = this.#bodies.get(event);
    if (known !== undefined) return known;
    const body = Buffer.from(JSON.stringify(event.body));
    this.#bodies.set(event, body);
    return body;
  }

  #tell(change: WebhookChange): void {
    this.#changes.next(change);
  }

  async #finish(): Promise<void> {
    const channels = [...this.#entries.values()].map(({ channel }) => channel);
    const work = Promise.all([...channels.map((channel) => channel.finish()), ...this.#farewells]);
    await settleWithin(work, this.settings.closeTimeoutMs);
    this.#stop.abort();
    for (const id of this.#entries.keys()) this.#end(id, 'closed');
    await work;
    this.#changes.complete();
  }
}

function describe({ channel, expiresAt }: Entry): WebhookStatus {
  return { ...channel.describe(), expiresAt };
}

/** The id is sent in a header. */
function assertId(id: string): void {
  if (isHeaderWord(id) && id.length <= 256) return;
  throw new RangeError('A subscription "id" must consist of 1 to 256 visible ASCII characters');
}
