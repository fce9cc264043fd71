import { createHash, createHmac, randomBytes } from 'node:crypto';
import { WebhookSecretError } from './webhook.error.js';

const PREFIX = 'whsec_';
const FEWEST_BYTES = 24;
const MOST_BYTES = 64;

/** Base64 in either alphabet, with or without what fills it up. */
const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/;

/** A message as it is sent, at one moment. */
export interface SignedMessage {
  readonly id: string;
  readonly body: Buffer;
  /** Milliseconds since 1970. */
  readonly sentAt: number;
}

/**
 * Parses the secret of a subscriber to the key that signs.
 *
 * @throws {WebhookSecretError} if it is of another form, or has too few bytes or too many
 * @see Standard Webhooks 1.0.0, "Signature scheme"
 */
export function parseSecret(secret: string): Buffer {
  const text = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : '';
  const key = Buffer.from(BASE64.test(text) ? text : '', 'base64');
  if (key.length < FEWEST_BYTES || key.length > MOST_BYTES) throw new WebhookSecretError();
  return key;
}

/** Text that a header can carry as it is. */
const HEADER_TEXT = /^[\x21-\x7e](?:[\x20-\x7e]{0,254}[\x21-\x7e])?$/;

/** Creates the id of a message that is about no event: about a gap, the end of a subscription, or its receiver. */
export function createMessageId(about: 'gap' | 'terminated' | 'verification'): string {
  return `msg_${about}_${randomBytes(12).toString('base64url')}`;
}

/** Makes the id of an event one that a header can carry: the same, if it can. */
export function formatMessageId(eventId: string): string {
  if (HEADER_TEXT.test(eventId)) return eventId;
  return `msg_${createHash('sha256').update(eventId).digest('base64url')}`;
}

/**
 * Builds the headers that a receiver knows a message and its sender by, with a signature by each of the keys.
 *
 * @see Standard Webhooks 1.0.0, "Webhook headers"
 */
export function signMessage({ id, body, sentAt }: SignedMessage, keys: readonly Buffer[]) {
  const timestamp = String(Math.floor(sentAt / 1000));
  const signatures = keys.map((key) => {
    const hmac = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body);
    return `v1,${hmac.digest('base64')}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}

/** The keys of a subscription: the current one, and for a while the one before it. */
export class SigningKeys {
  #secret: string;
  #current: Buffer;
  #former: { readonly key: Buffer; readonly until: number } | undefined;

  constructor(
    secret: string,
    private readonly overlapMs: number,
  ) {
    this.#secret = secret;
    this.#current = parseSecret(secret);
  }

  /** Replaces the current secret, if the other differs. */
  replace(secret: string): void {
    if (secret === this.#secret) return;
    const key = parseSecret(secret);
    this.#former = { key: this.#current, until: performance.now() + this.overlapMs };
    this.#secret = secret;
    this.#current = key;
  }

  /** Returns the keys that sign now. */
  select(): readonly Buffer[] {
    const former = this.#former;
    return former !== undefined && performance.now() < former.until
      ? [this.#current, former.key]
      : [this.#current];
  }
}
