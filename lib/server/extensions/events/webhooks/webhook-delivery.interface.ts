import type { Observable } from 'rxjs';

/** A receiver and what it is sent. */
export interface WebhookSubscription {
  /** The name of the subscription. The header `X-MCP-Subscription-Id` gives it to the receiver, which selects the secret by it. */
  readonly id: string;
  /** Where events are sent. */
  readonly url: string;
  /** Signs them: `whsec_` and 24 to 64 bytes in base64. */
  readonly secret: string;
  /** Who subscribed; nobody else may refresh the subscription. @default everybody */
  readonly owner?: string | undefined;
  /** Milliseconds until it ends unless it is added again, within the bounds of the options. @default the options' `ttlMs` */
  readonly ttlMs?: number | undefined;
}

/** What is sent to a receiver. An object that is given for several subscriptions is serialized once. */
export interface WebhookEvent {
  /** Stays the same however often the event is sent: receivers know by it what they have already. */
  readonly id: string;
  /** What is sent as JSON. */
  readonly body: object;
  /** The place of the source after this event. Receivers that lost the event get it. @default none */
  readonly cursor?: string | undefined;
}

/** Why a delivery failed, as far as the subscriber is told. */
export type DeliveryFault =
  'connection_refused' | 'timeout' | 'tls_error' | 'http_3xx_redirect' | 'http_4xx' | 'http_5xx';

/** Why a receiver cannot be sent anything, as far as the subscriber is told. */
export type WebhookFault = DeliveryFault | 'challenge_failed';

/** How deliveries to a receiver are going; times are milliseconds since 1970. */
export interface WebhookStatus {
  /** Whether events are sent: false after repeated failure, until the subscription is added again. */
  readonly isActive: boolean;
  readonly expiresAt: number;
  /** When a delivery was last answered well. */
  readonly lastDeliveryAt?: number;
  /** Absent while deliveries succeed. */
  readonly lastError?: DeliveryFault;
  /** When the first of the failures in a row was. */
  readonly failedSince?: number;
  /** Messages that wait. */
  readonly queued: number;
}

/** How far deliveries to a receiver are. */
export interface WebhookProgress {
  /** Whether nothing is being sent, and nothing waits. */
  readonly isIdle: boolean;
  /** The cursor of the last event that was sent, or given up; absent before there is one. */
  readonly cursor?: string;
}

/** Why a subscription is no more. */
export type WebhookEnd = 'removed' | 'expired' | 'closed';

/** A change of a subscription. `lost` counts events that will not be sent. Their receiver is told about the gap. */
export type WebhookChange = { readonly id: string; readonly owner: string | undefined } & (
  | { readonly kind: 'added' | 'refreshed' | 'resumed' }
  | { readonly kind: 'suspended'; readonly fault: DeliveryFault }
  | { readonly kind: 'lost'; readonly events: number }
  | { readonly kind: 'ended'; readonly reason: WebhookEnd; readonly cursor?: string }
);

/** What the receiver is told at the end of a subscription: the error as JSON-RPC has it. */
export interface WebhookFarewell {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/**
 * Sends events to the receivers of subscribers: in order for each of them, signed, again if it failed, and never to a
 * place that subscribers must not reach.
 *
 * @see Standard Webhooks 1.0.0
 */
export interface WebhookDelivery {
  /** Tells what happens to subscriptions; completes when the delivery is closed. */
  readonly changes$: Observable<WebhookChange>;

  /**
   * Adds a subscription, or refreshes the one of this id. Its time begins again, and it is resumed if it was suspended. A
   * new secret replaces the old one, which signs too for a while. A receiver that its owner has not subscribed before
   * is asked to confirm that it wants to be sent events.
   *
   * @throws {WebhookReceiverError} if the URL may not be a receiver's, does not lead to public addresses alone, or nobody there
   * confirms
   * @throws {WebhookSecretError} if the secret is none
   * @throws {WebhookLimitError} if there are as many subscriptions as there may be, or its host was asked too often
   * @throws {WebhookOwnerError} if the id is somebody else's
   */
  add(subscription: WebhookSubscription): Promise<WebhookStatus>;

  /**
   * Takes up a subscription that another process had, until it ends: its receiver has confirmed already. Given again, its secret takes the
   * place of the one before.
   *
   * @throws {WebhookReceiverError} if the URL may not be a receiver's
   * @throws {WebhookSecretError} if the secret is none
   */
  restore(subscription: WebhookSubscription, expiresAt: number): void;

  /** Queues an event, and tells whether it was queued. It is not if the subscription is missing or suspended. */
  deliver(id: string, event: WebhookEvent): boolean;

  /** Tells the receiver about events that were not sent. `cursor` is the place of the source after the last of them. */
  skip(id: string, cursor?: string): void;

  /** Ends a subscription at once and tells whether there was one. A farewell is sent once, whatever becomes of it. */
  remove(id: string, farewell?: WebhookFarewell): boolean;

  /** Ends a subscription once what is queued was sent or given up, and tells whether there was one. The farewell is sent last, once. */
  finish(id: string, farewell?: WebhookFarewell): boolean;

  /** Finds how far deliveries are. */
  findProgress(id: string): WebhookProgress | undefined;

  /** Finds how deliveries are going. */
  findStatus(id: string): WebhookStatus | undefined;

  /** Stops taking events. Sends the queued ones as long as `closeTimeoutMs` allows, and then aborts the requests under way. */
  close(): Promise<void>;
}
