import type { WebhookOptions } from './webhook-options.interface.js';

/** Bounds of the events extension. */
export interface EventsOptions {
  /** The most events that each source keeps for clients that come back. @default 1000 */
  readonly logSize?: number;
  /** Characters of the payloads of these events together. @default 4_194_304 */
  readonly logCharacters?: number;
  /** Characters of one payload; a larger one is left out. @default 262_144 */
  readonly payloadCharacters?: number;
  /** Events that one `events/poll` gives at most. @default 100 */
  readonly pollSize?: number;
  /** Milliseconds after which a client is asked to poll again. @default 5000 */
  readonly pollIntervalMs?: number;
  /** Milliseconds between the heartbeats of a stream. @default 30_000 */
  readonly heartbeatMs?: number;
  /** Milliseconds after which a stream is closed if its client does not read. @default 60_000 */
  readonly unreadTimeoutMs?: number;
  /** `events/stream` requests at once. @default 10_000 */
  readonly maximumStreams?: number;
  /** `events/stream` requests of one caller at once, if callers are known. @default 100 */
  readonly maximumStreamsPerIdentity?: number;
  /** Lets known callers subscribe webhooks; `true` uses the defaults. @default false */
  readonly webhooks?: boolean | WebhookOptions;
  /** Webhook subscriptions of one caller. @default 100 */
  readonly maximumWebhooksPerIdentity?: number;
}
