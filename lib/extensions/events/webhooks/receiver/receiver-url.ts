import { isIP } from 'node:net';
import { findUrl } from '../../../../oauth/find-url.js';
import { isPublicAddress } from './public-address.js';
import { WebhookReceiverError } from '../webhook.error.js';
import type { WebhookSettings } from '../webhook-settings.js';

/** What is allowed beyond `https:` and public addresses. */
export type ReceiverPolicy = Pick<WebhookSettings, 'allowHttp' | 'allowPrivateAddresses'>;

const LONGEST_URL = 2048;

/** Domains that every network gives a meaning of its own (RFC 6761, RFC 6762, RFC 8375, and what ICANN keeps for private use). */
const LOCAL_DOMAIN = /(?:^|\.)(?:localhost|localdomain|local|internal|home\.arpa|lan|intranet|corp|home)$/;

/**
 * Parses the URL of a receiver. The parser of URLs reads decimal, octal, hexadecimal and short forms of addresses as connections
 * would; what a name leads to is another question, asked before each connection.
 *
 * @throws {WebhookReceiverError} where it may not be a receiver's
 */
export function parseReceiverUrl(text: string, policy: ReceiverPolicy): URL {
  if (text.length > LONGEST_URL)
    throw WebhookReceiverError.malformed(`must have at most ${LONGEST_URL} characters`);
  const url = findUrl(text);
  if (url === undefined) throw WebhookReceiverError.malformed('must be an absolute URL');
  assertScheme(url, policy);
  if (url.username + url.password !== '')
    throw WebhookReceiverError.malformed('must not have a user or a password');
  if (!policy.allowPrivateAddresses && !isPublicHost(getHost(url)))
    throw WebhookReceiverError.unusable('connection_refused');
  return url;
}

/** Gives the host of a URL as connections want it: without the brackets of IPv6. */
export function getHost({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}

function assertScheme({ protocol }: URL, { allowHttp }: ReceiverPolicy): void {
  if (protocol === 'https:' || (allowHttp && protocol === 'http:')) return;
  throw WebhookReceiverError.malformed(`must begin with "https:"${allowHttp ? ' or "http:"' : ''}`);
}

/** A name without a dot is looked up in the machine's own domains. */
function isPublicHost(host: string): boolean {
  if (isIP(host) !== 0) return isPublicAddress(host);
  const name = host.replace(/\.+$/, '');
  return name.includes('.') && !LOCAL_DOMAIN.test(name);
}
