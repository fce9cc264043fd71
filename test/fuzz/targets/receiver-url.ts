import { isIP } from 'node:net';
import { findAddressScope } from '../../../lib/core/network/ssrf-guard.js';
import {
  isPublicAddress,
  parseReceiverUrl,
} from '../../../lib/server/extensions/events/webhooks/receiver-address.js';
import { WebhookReceiverError } from '../../../lib/server/extensions/events/webhooks/webhook.error.js';
import { stripBrackets } from '../../../lib/core/network/host-names.js';
import { assertHolds, parseWith } from '../contract.js';

const POLICY = { allowHttp: false, allowPrivateAddresses: false };

/** Judges the URL of a receiver, and the address that the first bytes are. */
export function fuzz(bytes: Buffer): void {
  const text = bytes.toString();
  for (const url of [text, `https://${text}`]) assertReceiver(url);
  for (const address of readAddresses(bytes)) {
    if (isPublicAddress(address))
      assertHolds(findAddressScope(address) === 'public', 'one guard trusts what the other does');
  }
  findAddressScope(text);
}

function assertReceiver(text: string): void {
  const parsed = parseWith(() => parseReceiverUrl(text, POLICY), WebhookReceiverError);
  if ('error' in parsed) return;
  const host = stripBrackets(parsed.value.hostname);
  assertHolds(
    parsed.value.protocol === 'https:' && parsed.value.username === '',
    'a receiver is told over TLS',
  );
  assertHolds(text.length <= 2048, 'a URL is bounded');
  if (isIP(host) !== 0) assertHolds(findAddressScope(host) === 'public', 'an address is one of the internet');
  else
    assertHolds(host.includes('.') && findAddressScope(host) === undefined, 'a name is one of the internet');
}

function readAddresses(bytes: Buffer): readonly string[] {
  if (bytes.length < 16) return bytes.length < 4 ? [] : [[...bytes.subarray(0, 4)].join('.')];
  const groups = Array.from({ length: 8 }, (_, index) => bytes.readUInt16BE(2 * index).toString(16));
  return [groups.join(':'), [...bytes.subarray(0, 4)].join('.')];
}
