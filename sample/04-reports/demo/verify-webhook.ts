import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

const LONGEST_AGE_SECONDS = 5 * 60;

/**
 * Tells whether a webhook was sent by who knows the secret, and lately: what is signed is its id, its time and its body.
 * Any library for Standard Webhooks does the same.
 */
export function isGenuine(headers: IncomingHttpHeaders, body: Buffer, secret: string): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers;
  const ageSeconds = Math.abs(Date.now() / 1000 - Number(timestamp));
  if (!(ageSeconds <= LONGEST_AGE_SECONDS)) return false;
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const expected = createHmac('sha256', key)
    .update(`${String(id)}.${String(timestamp)}.`)
    .update(body)
    .digest();
  return String(signatures)
    .split(' ')
    .some((signature) => isSame(Buffer.from(signature.replace('v1,', ''), 'base64'), expected));
}

/** Takes the same time wherever they differ. */
function isSame(given: Buffer, expected: Buffer): boolean {
  return given.length === expected.length && timingSafeEqual(given, expected);
}
