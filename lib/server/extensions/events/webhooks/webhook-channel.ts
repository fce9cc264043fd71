import { setTimeout as delay } from 'node:timers/promises';
import { computeDelay } from '../../../../core/async/retry.js';
import type { FairSlots } from '../../../../core/async/concurrency.js';
import { buildSignedRequest, claimSlot, postMessage, type PostOutcome } from './post-message.js';
import { MessageQueue, type QueuedMessage, type QueuedBytes } from './message-queue.js';
import { SigningKeys } from './sign-message.js';
import type {
  DeliveryProblem,
  WebhookProgress,
  WebhookStatus,
  WebhookSubscription,
} from './webhook-delivery.interface.js';
import type { WebhookSettings } from '../../../settings/extensions/events-options.js';

/** A receiver's delivery status. */
class DeliveryRecord {
  #isActive = true;
  #failuresInRow = 0;
  #lastDeliveryAt: number | undefined;
  #failedSince: number | undefined;
  #lastError: DeliveryProblem | undefined;

  constructor(private readonly suspendAfter: number) {}

  get isActive(): boolean {
    return this.#isActive;
  }

  succeed(): void {
    this.#lastDeliveryAt = Date.now();
    this.#forgetFailures();
  }

  /** Records a failed message. After several in a row, deliveries are suspended. */
  fail(problem: DeliveryProblem): void {
    this.#failuresInRow += 1;
    this.#lastError = problem;
    this.#failedSince ??= Date.now();
    if (this.#failuresInRow >= this.suspendAfter) this.#isActive = false;
  }

  /** Resumes suspended deliveries. Returns whether they were suspended. */
  resume(): boolean {
    if (this.#isActive) return false;
    this.#isActive = true;
    this.#forgetFailures();
    return true;
  }

  describe(): Omit<WebhookStatus, 'expiresAt' | 'queued'> {
    return {
      isActive: this.#isActive,
      ...(this.#lastDeliveryAt !== undefined && { lastDeliveryAt: this.#lastDeliveryAt }),
      ...(this.#lastError !== undefined && { lastError: this.#lastError }),
      ...(this.#failedSince !== undefined && { failedSince: this.#failedSince }),
    };
  }

  #forgetFailures(): void {
    this.#failuresInRow = 0;
    this.#failedSince = undefined;
    this.#lastError = undefined;
  }
}

/** A subscription whose URL was parsed and allowed. */
export interface CheckedSubscription extends WebhookSubscription {
  readonly receiver: URL;
}

/** The parts that all channels share. */
export interface ChannelContext {
  readonly settings: WebhookSettings;
  readonly slots: FairSlots;
  readonly bytes: QueuedBytes;
}

/** A channel's observer. */
export interface ChannelListener {
  onLost(events: number): void;
  onSuspended(problem: DeliveryProblem): void;
}

/** Sends messages to one receiver, one at a time, so they arrive in order. */
export class WebhookChannel {
  readonly #keys: SigningKeys;
  readonly #queue: MessageQueue;
  readonly #record: DeliveryRecord;
  /** Aborts running requests. */
  readonly #stop = new AbortController();
  /** Ends waiting between attempts. */
  readonly #hurry = new AbortController();
  #subscription: CheckedSubscription;
  #isWorking = false;
  #settled: string | undefined;
  #actOnceEmpty: (() => void) | undefined;
  #work: Promise<void> = Promise.resolve();

  constructor(
    subscription: CheckedSubscription,
    private readonly surroundings: ChannelContext,
    private readonly listener: ChannelListener,
  ) {
    const { settings, bytes } = surroundings;
    this.#subscription = subscription;
    this.#keys = new SigningKeys(subscription.secret, settings.secretOverlapMs);
    this.#queue = new MessageQueue(settings, bytes, subscription.owner);
    this.#record = new DeliveryRecord(settings.suspendAfter);
  }

  get subscription(): CheckedSubscription {
    return this.#subscription;
  }

  describe(): Omit<WebhookStatus, 'expiresAt'> {
    return { ...this.#record.describe(), queued: this.#queue.length };
  }

  /** The progress of deliveries. */
  get progress(): WebhookProgress {
    const isIdle = !this.#isWorking && this.#queue.length === 0;
    return { isIdle, ...(this.#settled !== undefined && { cursor: this.#settled }) };
  }

  /** Applies a new URL and secret. Returns whether suspended deliveries resumed. */
  refresh(subscription: CheckedSubscription): boolean {
    this.#keys.replace(subscription.secret);
    this.#subscription = subscription;
    const wasSuspended = this.#record.resume();
    if (wasSuspended) this.#wake();
    return wasSuspended;
  }

  /** Queues a message. Returns whether it will be sent. */
  push(message: QueuedMessage): boolean {
    if (!this.#record.isActive) {
      this.#queue.skip(message.cursor);
      this.listener.onLost(1);
      return false;
    }
    const lost = this.#queue.push(message);
    if (lost > 0) this.listener.onLost(lost);
    this.#wake();
    return true;
  }

  /** Queues a gap notice. */
  skip(cursor: string | undefined): void {
    this.#queue.skip(cursor);
    this.#wake();
  }

  /** Calls a function once the queue is empty. */
  onceEmpty(act: () => void): void {
    if (this.#isWorking) this.#actOnceEmpty = act;
    else act();
  }

  /** Sends queued messages without delays between attempts, and stops at the first failure. */
  async finish(): Promise<void> {
    this.#hurry.abort();
    await this.#work;
  }

  /** Ends the channel immediately and drops queued messages. */
  end(): void {
    this.#queue.clear();
    this.#hurry.abort();
    this.#stop.abort();
  }

  /** Sends one message outside the queue, once, without retries. */
  async sendOnce(message: QueuedMessage, signal: AbortSignal): Promise<void> {
    await this.#post(message, signal);
  }

  #wake(): void {
    if (!this.#isWorking && this.#mayGoOn) this.#work = this.#sendAll();
  }

  get #mayGoOn(): boolean {
    return this.#record.isActive && !this.#stop.signal.aborted;
  }

  async #sendAll(): Promise<void> {
    this.#isWorking = true;
    try {
      while (this.#mayGoOn) {
        const message = this.#queue.shift();
        if (message === undefined) return;
        const isSent = await this.#send(message);
        // The gap notice waits for the next event, because sending it now would fail in the same way.
        if (!isSent && this.#queue.isOnlyGap) return;
      }
    } finally {
      this.#isWorking = false;
      if (!this.#stop.signal.aborted) this.#actOnceEmpty?.();
    }
  }

  async #send(message: QueuedMessage): Promise<boolean> {
    const outcome = await this.#tryRepeatedly(message);
    if (this.#stop.signal.aborted) return false;
    if (outcome.kind === 'failed') this.#finish(message, outcome.problem);
    else if (outcome.kind === 'accepted') this.#record.succeed();
    this.#settled = message.cursor ?? this.#settled;
    return outcome.kind !== 'failed';
  }

  async #tryRepeatedly(message: QueuedMessage): Promise<PostOutcome> {
    const { settings } = this.surroundings;
    const backOff = { initialDelayMs: settings.backoffMs, maxDelayMs: settings.maxBackoffMs };
    for (let attempt = 0; ; attempt += 1) {
      const outcome = await this.#post(message, this.#stop.signal);
      if (outcome.kind !== 'failed' || outcome.isFinal || attempt + 1 >= settings.attempts) return outcome;
      await this.#wait(computeDelay(backOff, attempt, { retryAfterMs: outcome.retryAfterMs }));
      if (this.#hurry.signal.aborted) return outcome;
    }
  }

  #post(message: QueuedMessage, signal: AbortSignal): Promise<PostOutcome> {
    const { settings, slots } = this.surroundings;
    const { owner, receiver } = this.#subscription;
    return slots.run(claimSlot(owner, receiver), () => {
      const request = buildSignedRequest(message, this.#subscription, this.#keys.select());
      return postMessage(request, settings, signal);
    });
  }

  async #wait(ms: number): Promise<void> {
    const { signal } = this.#hurry;
    await delay(ms, undefined, { signal, ref: false }).catch(() => undefined);
  }

  #finish(message: QueuedMessage, problem: DeliveryProblem): void {
    this.#record.fail(problem);
    const isLast = this.#hurry.signal.aborted || !this.#record.isActive;
    const lost = this.#queue.lose(message) + (isLast ? this.#queue.clear() : 0);
    if (lost > 0) this.listener.onLost(lost);
    if (this.#hurry.signal.aborted) this.end();
    else if (!this.#record.isActive) this.listener.onSuspended(problem);
  }
}
