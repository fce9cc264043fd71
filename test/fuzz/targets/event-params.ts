import {
  parseMaxEvents,
  parseName,
  parsePage,
  parsePosition,
} from '../../../lib/server/extensions/events/parse-event-params.js';
import {
  assertNoId,
  formatWebhookId,
  parseDeliveryUrl,
  parseSecret,
  parseTtl,
} from '../../../lib/server/extensions/events/subscribe-params.js';
import {
  formatMessageId,
  parseSecret as parseKey,
} from '../../../lib/server/extensions/events/webhooks/sign-message.js';
import { WebhookSecretError } from '../../../lib/server/extensions/events/webhooks/webhook.error.js';
import { parseRetryAfter } from '../../../lib/core/protocol/headers/http-headers.js';
import { isObject, type Params } from '../../../lib/core/protocol/json-rpc.js';
import { McpError } from '../../../lib/core/protocol/mcp.error.js';
import { assertHolds, parseWith, readJson, type Outcome } from '../contract.js';

const INVALID_PARAMS = -32602;
/** Another way of delivery than there is. */
const UNSUPPORTED = -32014;

/** Reads the parameters of event subscriptions, the secret of a webhook and what its receiver answers. */
export function fuzz(bytes: Buffer): void {
  const text = bytes.toString();
  assertTexts(text);
  const params = readJson(text);
  if (!isObject(params)) return;
  for (const parse of [
    parseName,
    parsePage,
    parsePosition,
    parseMaxEvents,
    parseDeliveryUrl,
    parseSecret,
    assertNoId,
  ]) {
    assertRefusal(parseWith<unknown>(() => parse(params), McpError));
  }
  const ttl = parseTtl(params);
  assertHolds(ttl === undefined || (Number.isFinite(ttl) && ttl > 0), 'a life is a time');
  assertIdentity(params);
}

function assertTexts(text: string): void {
  const key = parseWith(() => parseKey(text), WebhookSecretError);
  if ('value' in key) assertHolds(key.value.length >= 24 && key.value.length <= 64, 'a key is of its size');
  else assertHolds(text.length < 24 || !key.error.message.includes(text), 'no error tells a secret');
  assertHolds(/^[\x20-\x7e]{1,256}$/.test(formatMessageId(text)), 'a header can carry an id');
  const waitMs = parseRetryAfter(text, 0);
  assertHolds(waitMs === undefined || waitMs >= 0, 'nobody waits for the past');
}

/** A subscription is the same in whichever order its arguments are written. */
function assertIdentity(params: Params): void {
  const key = { identity: 'ada', name: 'ticket.created', url: 'https://hooks.example.com' };
  const written = parseWith(() => formatWebhookId({ ...key, arguments: params }), McpError);
  assertRefusal(written);
  const turned = Object.fromEntries(Object.entries(params).toReversed());
  const again = parseWith(() => formatWebhookId({ ...key, arguments: turned }), McpError);
  if ('error' in written || 'error' in again) return;
  assertHolds(written.value === again.value, 'the order of members makes no difference');
  assertHolds(/^sub_[\w-]{22}$/.test(written.value), 'an id is short');
}

function assertRefusal(outcome: Outcome<unknown>): void {
  if ('value' in outcome) return;
  const { code } = outcome.error as McpError;
  assertHolds(code === INVALID_PARAMS || code === UNSUPPORTED, 'parameters are refused as such');
}
