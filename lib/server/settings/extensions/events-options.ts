import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import * as check from '../../../core/checks/option-checks.js';
import { milliseconds, positive } from '../../../core/checks/option-checks.js';
import { optionGroup, switchable, type Settings } from '../../../core/checks/option-group.js';

/** Resolves a host name's addresses. */
export type ResolveHost = (hostname: string) => Promise<readonly LookupAddress[]>;

/** Returns whether a subscriber's receiver is known to want events, for example because your application lists it. */
export type IsTrusted = (url: string, owner: string | undefined) => boolean;

/** Limits the delivery of events to webhooks and their receivers. */
export interface WebhookOptions {
  /** Allows private, loopback and other non-public addresses, and local names. @default false */
  readonly allowPrivateAddresses?: boolean;
  /** Sends to `http:` URLs too. Anyone on the network path can then read the events. @default false */
  readonly allowHttp?: boolean;
  /** PEM certificates of authorities to trust in addition to Node's. @default [] */
  readonly certificateAuthorities?: readonly string[];
  /** The timeout of one attempt in milliseconds, from the DNS lookup to the end of the response. @default 15_000 */
  readonly timeoutMs?: number;
  /** How many times a message is sent before it counts as failed. @default 5 */
  readonly attempts?: number;
  /**
   * Milliseconds before the second attempt, doubled for each further attempt. Up to half of each delay is random.
   * @default 1000
   */
  readonly backoffMs?: number;
  /** The maximum delay between two attempts, in milliseconds, even if `Retry-After` requests more. @default 60_000 */
  readonly maxBackoffMs?: number;
  /** The number of consecutive failed messages after which a subscription is suspended. @default 5 */
  readonly suspendAfter?: number;
  /**
   * The maximum number of queued messages for one receiver. Beyond it, the oldest are dropped, and the receiver gets
   * a gap notice.
   * @default 100
   */
  readonly maxQueued?: number;
  /** The maximum size of the queued messages for all receivers, in bytes. @default 67_108_864 */
  readonly maxQueuedBytes?: number;
  /**
   * The maximum size of the queued messages for one subscriber's receivers, in bytes. @default an eighth of
   * `maxQueuedBytes`
   */
  readonly maxQueuedBytesPerCaller?: number;
  /** The maximum size of a message, in bytes. A larger one is dropped. @default 262_144 */
  readonly maxBodyBytes?: number;
  /** How many bytes of a receiver's response are read before the connection is closed. @default 16_384 */
  readonly maxResponseBytes?: number;
  /** The maximum number of concurrent requests to all receivers. @default 256 */
  readonly maxRequests?: number;
  /**
   * The maximum number of concurrent requests to one subscriber's receivers. Slots are shared fairly.
   * @default an eighth of `maxRequests`
   */
  readonly maxRequestsPerCaller?: number;
  /** The maximum number of concurrent requests to one receiver URL. @default 8 */
  readonly maxRequestsPerReceiver?: number;
  /** The maximum number of subscriptions across all subscribers. @default 10_000 */
  readonly maxSubscriptions?: number;
  /** The default subscription lifetime, in milliseconds. @default 3_600_000 */
  readonly ttlMs?: number;
  /** The shortest subscription lifetime, in milliseconds. @default 300_000 */
  readonly minTtlMs?: number;
  /** The longest subscription lifetime without a refresh, in milliseconds. @default 86_400_000 */
  readonly maxTtlMs?: number;
  /** How long a replaced secret is still used for signing, in milliseconds. @default 600_000 */
  readonly secretOverlapMs?: number;
  /** How long shutdown waits for deliveries, in milliseconds. @default 5000 */
  readonly closeTimeoutMs?: number;
  /** Decides which receivers do not have to confirm that they want events. @default none */
  readonly isTrusted?: IsTrusted;
  /**
   * The maximum number of receiver verifications per host and minute. One subscriber gets a quarter of them, but at
   * least 8. Beyond the limit, requests fail with -32013.
   * @default 60
   */
  readonly confirmationsPerMinute?: number;
  /** Resolves a receiver's host. The server still checks the addresses. @default `lookup` of `node:dns/promises` */
  readonly resolveHost?: ResolveHost;
}

/** The delivery options with all defaults applied. */
export type WebhookSettings = Settings<WebhookOptions>;

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const KIBIBYTE = 1024;

/** One subscriber may use an eighth of each total limit. */
const OWN_SHARE = 8;

export const WEBHOOKS = optionGroup<WebhookOptions>({
  allowPrivateAddresses: [check.flag, false],
  allowHttp: [check.flag, false],
  certificateAuthorities: [check.list(check.nonEmptyString), []],
  timeoutMs: [check.milliseconds, 15 * SECOND],
  attempts: [check.positive, 5],
  backoffMs: [check.milliseconds, SECOND],
  maxBackoffMs: [check.milliseconds, MINUTE],
  suspendAfter: [check.positive, 5],
  maxQueued: [check.positive, 100],
  maxQueuedBytes: [check.positive, 64 * KIBIBYTE * KIBIBYTE],
  maxQueuedBytesPerCaller: [check.positive, ({ maxQueuedBytes }) => Math.ceil(maxQueuedBytes / OWN_SHARE)],
  maxBodyBytes: [check.positive, 256 * KIBIBYTE],
  maxResponseBytes: [check.positive, 16 * KIBIBYTE],
  maxRequests: [check.positive, 256],
  maxRequestsPerCaller: [check.positive, ({ maxRequests }) => Math.ceil(maxRequests / OWN_SHARE)],
  maxRequestsPerReceiver: [check.positive, 8],
  maxSubscriptions: [check.positive, 10_000],
  ttlMs: [check.milliseconds, HOUR],
  minTtlMs: [check.milliseconds, 5 * MINUTE],
  maxTtlMs: [check.milliseconds, 24 * HOUR],
  secretOverlapMs: [check.notNegative, 10 * MINUTE],
  closeTimeoutMs: [check.milliseconds, 5 * SECOND],
  isTrusted: [check.callable, () => () => false],
  confirmationsPerMinute: [check.positive, 60],
  resolveHost: [check.callable, () => (hostname) => lookup(hostname, { all: true })],
});

/** The events extension's limits. */
export interface EventsOptions {
  /** The maximum number of events that each source stores for clients that reconnect. @default 1000 */
  readonly logSize?: number;
  /** The maximum total length of a source's stored payloads, in characters. @default 4_194_304 */
  readonly logCharacters?: number;
  /** The maximum length of one payload, in characters; a larger one is dropped. @default 262_144 */
  readonly payloadCharacters?: number;
  /** The maximum number of events that one `events/poll` returns. @default 100 */
  readonly pollSize?: number;
  /** The polling interval that the server suggests to clients, in milliseconds. @default 5000 */
  readonly pollIntervalMs?: number;
  /** The interval of a stream's heartbeats, in milliseconds. @default 30_000 */
  readonly heartbeatMs?: number;
  /** How long a client may leave a stream unread before the server closes it, in milliseconds. @default 60_000 */
  readonly unreadTimeoutMs?: number;
  /** The maximum number of concurrent `events/stream` requests. @default 10_000 */
  readonly maxStreams?: number;
  /** The maximum number of concurrent `events/stream` requests per caller, if callers are known. @default 100 */
  readonly maxStreamsPerCaller?: number;
  /** Lets known callers subscribe webhooks; `true` uses the defaults. @default false @see docs/events.md, "Webhooks" */
  readonly webhooks?: boolean | WebhookOptions;
  /** The maximum number of webhook subscriptions per caller. @default 100 */
  readonly maxWebhooksPerCaller?: number;
}

/** The events extension's limits with all defaults applied. */
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

/** Applies all defaults. */
export function buildEventsSettings(options: true | EventsOptions): EventsSettings {
  const { webhooks, ...limits } = EVENTS.build(options === true ? {} : options);
  return {
    ...limits,
    ...(webhooks && { webhooks: WEBHOOKS.build(webhooks === true ? {} : webhooks) }),
  };
}
