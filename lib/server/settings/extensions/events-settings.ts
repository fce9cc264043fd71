import { onlyGiven } from '../only-given.js';
import type { EventsOptions } from './events-options.interface.js';
import type { WebhookOptions } from './webhook-options.interface.js';

/** The bounds of the events extension with every default filled in. */
export type EventsSettings = Required<Omit<EventsOptions, 'webhooks'>> & {
  /** Absent if webhooks cannot be subscribed. */
  readonly webhooks?: WebhookOptions;
};

/** Fills every default in. */
export function buildEventsSettings(options: true | EventsOptions): EventsSettings {
  const { webhooks, ...bounds } = options === true ? {} : options;
  return {
    logSize: 1000,
    logCharacters: 4 * 1_048_576,
    payloadCharacters: 262_144,
    pollSize: 100,
    pollIntervalMs: 5000,
    heartbeatMs: 30_000,
    unreadTimeoutMs: 60_000,
    maximumStreams: 10_000,
    maximumStreamsPerIdentity: 100,
    maximumWebhooksPerIdentity: 100,
    ...onlyGiven(bounds),
    ...(webhooks && { webhooks: webhooks === true ? {} : webhooks }),
  };
}
