import { milliseconds, positive } from '../../../core/checks/option-checks.js';
import { optionGroup, switchable, type Settings } from '../../../core/checks/option-group.js';
import { WEBHOOKS, type WebhookOptions, type WebhookSettings } from './webhook-options.js';

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
  readonly maxStreams?: number;
  /** `events/stream` requests of one caller at once, if callers are known. @default 100 */
  readonly maxStreamsPerCaller?: number;
  /** Lets known callers subscribe webhooks; `true` uses the defaults. @default false @see docs/events.md, "Webhooks" */
  readonly webhooks?: boolean | WebhookOptions;
  /** Webhook subscriptions of one caller. @default 100 */
  readonly maxWebhooksPerCaller?: number;
}

/** The bounds of the events extension with every default filled in. */
export type EventsSettings = Settings<Omit<EventsOptions, 'webhooks'>> & {
  /** Absent if webhooks cannot be subscribed. */
  readonly webhooks?: WebhookSettings;
};

export const EVENTS = optionGroup<EventsOptions>({
  logSize: [positive, 1000],
  logCharacters: [positive, 4 * 1_048_576],
  payloadCharacters: [positive, 262_144],
  pollSize: [positive, 100],
  pollIntervalMs: [milliseconds, 5000],
  heartbeatMs: [milliseconds, 30_000],
  unreadTimeoutMs: [milliseconds, 60_000],
  maxStreams: [positive, 10_000],
  maxStreamsPerCaller: [positive, 100],
  webhooks: [switchable(WEBHOOKS), false],
  maxWebhooksPerCaller: [positive, 100],
});

/** Fills every default in. */
export function buildEventsSettings(options: true | EventsOptions): EventsSettings {
  const { webhooks, ...bounds } = EVENTS.build(options === true ? {} : options);
  return {
    ...bounds,
    ...(webhooks && { webhooks: WEBHOOKS.build(webhooks === true ? {} : webhooks) }),
  };
}
