/** A receiver and its subscription. */
export interface WebhookSubscription {
  /**
   * The subscription id, sent in the `X-MCP-Subscription-Id` header, which the receiver uses to select the secret.
   */
  readonly id: string;
  /** Where events are sent. */
  readonly url: string;
  /** The key that signs messages: `whsec_` followed by 24 to 64 bytes in base64. */
  readonly secret: string;
  /** The subscriber. No one else may refresh the subscription. @default any caller may */
  readonly owner?: string | undefined;
  /**
   * Milliseconds until it expires unless it is added again, within the options' limits.
   * @default the options' `ttlMs`
   */
  readonly ttlMs?: number | undefined;
}

/** An event for receivers. An object that is passed for several subscriptions is serialized once. */
export interface WebhookEvent {
  /** The same for every attempt, so receivers can recognize duplicates. */
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

/** A receiver's delivery status. Times are milliseconds since 1970. */
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
  /** The cursor after the last event that was sent or given up on; absent before the first event. */
  readonly cursor?: string;
}

/** Why a subscription ended. */
export type WebhookEnd = 'removed' | 'expired' | 'closed';

/** A subscription change. `lost` counts events that will not be sent; the receiver gets a gap notice for them. */
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
