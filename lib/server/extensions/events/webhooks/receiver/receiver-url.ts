import { isIP } from 'node:net';
import { isLoopbackName, isPrivateName } from '../../../../../core/network/private-names.js';
import { stripBrackets } from '../../../../../core/network/strip-brackets.js';
import { findUrl } from '../../../../../core/oauth/find-url.js';
import { WebhookReceiverError } from '../webhook.error.js';
import type { WebhookSettings } from '../../../../settings/extensions/webhook-options.js';
import { isPublicAddress } from './public-address.js';

/** The allowed exceptions from `https:` and public addresses. */
export type ReceiverPolicy = Pick<WebhookSettings, 'allowHttp' | 'allowPrivateAddresses'>;

const LONGEST_URL = 2048;

/**
 * Parses the URL of a receiver. The URL parser reads decimal, octal, hexadecimal and short forms of addresses as
 * connections do. The addresses of names are checked before each connection.
 *
 * @throws {WebhookReceiverError} if it may not be a receiver's
 */
export function parseReceiverUrl(text: string, policy: ReceiverPolicy): URL {
  if (text.length > LONGEST_URL)
    throw WebhookReceiverError.malformed(`must have at most ${LONGEST_URL} characters`);
  const url = findUrl(text);
  if (url === undefined) throw WebhookReceiverError.malformed('must be an absolute URL');
  assertScheme(url, policy);
  if (url.username + url.password !== '')
    throw WebhookReceiverError.malformed('must not have a user or a password');
  if (!policy.allowPrivateAddresses && !isPublicHost(stripBrackets(url.hostname)))
    throw WebhookReceiverError.unusable('connection_refused');
  return url;
}

function assertScheme({ protocol }: URL, { allowHttp }: ReceiverPolicy): void {
  if (protocol === 'https:' || (allowHttp && protocol === 'http:')) return;
  throw WebhookReceiverError.malformed(`must begin with "https:"${allowHttp ? ' or "http:"' : ''}`);
}

/** A name without a dot is looked up in the machine's own domains. */
function isPublicHost(host: string): boolean {
  if (isIP(host) !== 0) return isPublicAddress(host);
  const name = host.replace(/\.+$/, '');
  return name.includes('.') && !isLoopbackName(name) && !isPrivateName(name);
}
