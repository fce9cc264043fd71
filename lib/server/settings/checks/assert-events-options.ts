import {
  either,
  fail,
  flag,
  list,
  members,
  milliseconds,
  notNegative,
  positive,
  text,
  type Check,
} from '../../../core/checks/option-checks.js';

const functionOption: Check = (option, value) => {
  if (typeof value !== 'function') fail(option, 'must be a function');
};

const WEBHOOKS = members({
  allowPrivateAddresses: flag,
  allowHttp: flag,
  certificateAuthorities: list(text),
  timeoutMs: milliseconds,
  attempts: positive,
  backoffMs: milliseconds,
  maximumBackoffMs: milliseconds,
  suspendAfter: positive,
  maximumQueued: positive,
  maximumQueuedBytes: positive,
  maximumQueuedBytesPerOwner: positive,
  maximumBodyBytes: positive,
  maximumAnswerBytes: positive,
  maximumRequests: positive,
  maximumRequestsPerOwner: positive,
  maximumRequestsPerReceiver: positive,
  maximumSubscriptions: positive,
  ttlMs: milliseconds,
  minimumTtlMs: milliseconds,
  maximumTtlMs: milliseconds,
  secretOverlapMs: notNegative,
  closeTimeoutMs: milliseconds,
  isTrusted: functionOption,
  confirmationsPerMinute: positive,
  resolveHost: functionOption,
});

/** Checks the option `events`. */
export const assertEventsOptions: Check = either(
  'boolean',
  flag,
  members({
    logSize: positive,
    logCharacters: positive,
    payloadCharacters: positive,
    pollSize: positive,
    pollIntervalMs: milliseconds,
    heartbeatMs: milliseconds,
    unreadTimeoutMs: milliseconds,
    maximumStreams: positive,
    maximumStreamsPerIdentity: positive,
    webhooks: either('boolean', flag, WEBHOOKS),
    maximumWebhooksPerIdentity: positive,
  }),
);
