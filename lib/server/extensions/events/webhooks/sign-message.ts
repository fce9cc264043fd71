import { createHash, createHmac, randomBytes } from 'node:crypto';
import { WebhookSecretError } from './webhook.error.js';

const PREFIX = 'whsec_';
const FEWEST_BYTES = 24;
const MOST_BYTES = 64;

/** Base64 in either alphabet, with or without padding. */
const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/;

/** A message to sign. */
export interface SignedMessage {
  readonly id: string;
  readonly body: Buffer;
  /** Milliseconds since 1970. */
  readonly sentAt: number;
}

/**
 * Parses a subscriber's secret into a signing key.
 *
 * @throws {WebhookSecretError} if its format is invalid, or it has too few or too many bytes
 * @see Standard Webhooks 1.0.0, "Signature scheme"
 */
export function parseSecret(secret: string): Buffer {
  const text = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : '';
  const key = Buffer.from(BASE64.test(text) ? text : '', 'base64');
  if (key.length < FEWEST_BYTES || key.length > MOST_BYTES) throw new WebhookSecretError();
  return key;
}

/** Matches strings that are valid header values. */
const HEADER_TEXT = /^[\x21-\x7e](?:[\x20-\x7e]{0,254}[\x21-\x7e])?$/;

/** Creates the id for a message that is not an event. */
export function createMessageId(about: 'gap' | 'terminated' | 'verification'): string {
  return `msg_${about}_${randomBytes(12).toString('base64url')}`;
}

/** Converts an event id to a header value, by hashing if necessary. */
export function formatMessageId(eventId: string): string {
  if (HEADER_TEXT.test(eventId)) return eventId;
  return `msg_${createHash('sha256').update(eventId).digest('base64url')}`;
}

/**
 * Builds the headers that identify and authenticate a message, with a signature for each key.
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

/** A subscription's signing keys: the current one and, for a while, its predecessor. */
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

  /** Replaces the secret if it differs. */
  replace(secret: string): void {
    if (secret === this.#secret) return;
    const key = parseSecret(secret);
    this.#former = { key: this.#current, until: performance.now() + this.overlapMs };
    this.#secret = secret;
    this.#current = key;
  }

  /** Returns the keys that currently sign. */
  select(): readonly Buffer[] {
    const former = this.#former;
    return former !== undefined && performance.now() < former.until
      ? [this.#current, former.key]
      : [this.#current];
  }
}
