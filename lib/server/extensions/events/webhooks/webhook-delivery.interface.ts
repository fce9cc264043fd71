import type { Observable } from 'rxjs';

/** A receiver and its subscription. */
export interface WebhookSubscription {
  /**
   * The id of the subscription, sent in the header `X-MCP-Subscription-Id`, with which the receiver selects the secret.
   */
  readonly id: string;
  /** Where events are sent. */
  readonly url: string;
  /** Signs them: `whsec_` and 24 to 64 bytes in base64. */
  readonly secret: string;
  /** The subscriber, who alone may refresh the subscription. @default any caller may */
  readonly owner?: string | undefined;
  /**
   * Milliseconds until it expires unless it is added again, within the limits of the options.
   * @default the options' `ttlMs`
   */
  readonly ttlMs?: number | undefined;
}

/** An event for receivers. An object that is passed for several subscriptions is serialized once. */
export interface WebhookEvent {
  /** Is the same for every attempt, so that receivers can recognize repeats. */
  readonly id: string;
  /** The JSON body. */
  readonly body: object;
  /** The cursor after this event, sent to receivers that lost the event. @default none */
  readonly cursor?: string | undefined;
}

/** Why a delivery failed, as reported to the subscriber. */
export type DeliveryProblem =
  'connection_refused' | 'timeout' | 'tls_error' | 'http_3xx_redirect' | 'http_4xx' | 'http_5xx';

/** Why a receiver cannot be used, as reported to the subscriber. */
export type WebhookProblem = DeliveryProblem | 'challenge_failed';

/** The delivery status of a receiver. Times are milliseconds since 1970. */
export interface WebhookStatus {
  /** Whether events are sent. False after repeated failures, until the subscription is added again. */
  readonly isActive: boolean;
  readonly expiresAt: number;
  /** When a delivery last succeeded. */
  readonly lastDeliveryAt?: number;
  /** Absent while deliveries succeed. */
  readonly lastError?: DeliveryProblem;
  /** When the current series of failures began. */
  readonly failedSince?: number;
  /** The number of queued messages. */
  readonly queued: number;
}

/** The progress of deliveries to a receiver. */
export interface WebhookProgress {
  /** Whether nothing is being sent or queued. */
  readonly isIdle: boolean;
  /** The cursor of the last event that was sent or given up; absent before the first. */
  readonly cursor?: string;
}

/** Why a subscription ended. */
export type WebhookEnd = 'removed' | 'expired' | 'closed';

/** A change of a subscription. `lost` counts events that will not be sent, of which the receiver gets a gap notice. */
export type WebhookChange = { readonly id: string; readonly owner: string | undefined } & (
  | { readonly kind: 'added' | 'refreshed' | 'resumed' }
  | { readonly kind: 'suspended'; readonly problem: DeliveryProblem }
  | { readonly kind: 'lost'; readonly events: number }
  | { readonly kind: 'ended'; readonly reason: WebhookEnd; readonly cursor?: string }
);

/** The JSON-RPC error that the receiver gets when a subscription is terminated. */
export interface WebhookTermination {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/**
 * Delivers events to webhook receivers: signed, in order, with retries, and never to addresses that subscribers must
 * not reach.
 *
 * @see Standard Webhooks 1.0.0
 */
export interface WebhookDelivery {
  /** Emits changes of subscriptions. Completes when the delivery is closed. */
  readonly changes$: Observable<WebhookChange>;

  /**
   * Adds a subscription, or refreshes the one with this id, which restarts its lifetime and resumes suspended
   * deliveries. A new secret replaces the previous one, which also signs for a while. A receiver that is new for its
   * owner is asked to confirm that it wants events.
   *
   * @throws {WebhookReceiverError} if the URL is not allowed, resolves to a non-public address, or the receiver does
   * not confirm
   * @throws {WebhookSecretError} if the secret is invalid
   * @throws {WebhookLimitError} if the limit of subscriptions or of verifications of its host is reached
   * @throws {WebhookOwnerError} if the id belongs to another owner
   */
  add(subscription: WebhookSubscription): Promise<WebhookStatus>;

  /**
   * Restores a subscription of another process, whose receiver has confirmed already. Called again, it replaces the
   * secret.
   *
   * @throws {WebhookReceiverError} if the URL is not allowed
   * @throws {WebhookSecretError} if the secret is invalid
   */
  restore(subscription: WebhookSubscription, expiresAt: number): void;

  /** Queues an event. Returns false if the subscription does not exist or is suspended. */
  deliver(id: string, event: WebhookEvent): boolean;

  /** Notifies the receiver of lost events. `cursor` is the cursor after the last of them. */
  skip(id: string, cursor?: string): void;

  /** Ends a subscription immediately. Returns whether it existed. The termination is sent once, without retries. */
  remove(id: string, farewell?: WebhookTermination): boolean;

  /**
   * Ends a subscription once its queue is empty. Returns whether it existed. The termination is sent last, without
   * retries.
   */
  finish(id: string, farewell?: WebhookTermination): boolean;

  /** Finds the progress of deliveries. */
  findProgress(id: string): WebhookProgress | undefined;

  /** Finds the delivery status. */
  findStatus(id: string): WebhookStatus | undefined;

  /** Stops accepting events. Sends queued ones within `closeTimeoutMs`, and then aborts running requests. */
  close(): Promise<void>;
}
