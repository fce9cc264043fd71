import { lookup } from 'node:dns/promises';
import { onlyGiven } from '../../../settings/only-given.js';
import type { WebhookOptions } from '../../../settings/extensions/webhook-options.interface.js';

/** The options of the delivery with every default filled in. */
export type WebhookSettings = Required<WebhookOptions>;

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const KIBIBYTE = 1024;

/** An owner may have one of so many parts of what all have together. */
const OWN_SHARE = 8;

const DEFAULTS = {
  allowPrivateAddresses: false,
  allowHttp: false,
  certificateAuthorities: [],
  timeoutMs: 15 * SECOND,
  attempts: 5,
  backoffMs: SECOND,
  maximumBackoffMs: MINUTE,
  suspendAfter: 5,
  maximumQueued: 100,
  maximumQueuedBytes: 64 * KIBIBYTE * KIBIBYTE,
  maximumBodyBytes: 256 * KIBIBYTE,
  maximumAnswerBytes: 16 * KIBIBYTE,
  maximumRequests: 256,
  maximumRequestsPerReceiver: 8,
  maximumSubscriptions: 10_000,
  ttlMs: HOUR,
  minimumTtlMs: 5 * MINUTE,
  maximumTtlMs: 24 * HOUR,
  secretOverlapMs: 10 * MINUTE,
  closeTimeoutMs: 5 * SECOND,
  isTrusted: () => false,
  confirmationsPerMinute: 60,
  resolveHost: (hostname) => lookup(hostname, { all: true }),
} satisfies WebhookOptions;

/** Fills every default in. */
export function buildWebhookSettings(options: WebhookOptions = {}): WebhookSettings {
  const { maximumRequests = DEFAULTS.maximumRequests, maximumQueuedBytes = DEFAULTS.maximumQueuedBytes } =
    options;
  return {
    ...DEFAULTS,
    maximumRequestsPerOwner: Math.ceil(maximumRequests / OWN_SHARE),
    maximumQueuedBytesPerOwner: Math.ceil(maximumQueuedBytes / OWN_SHARE),
    ...onlyGiven(options),
  };
}
