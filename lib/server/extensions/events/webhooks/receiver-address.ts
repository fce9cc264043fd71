import { isIP, type LookupFunction } from 'node:net';
import type { LookupAddress } from 'node:dns';
import { isLoopbackName, isPrivateName, stripBrackets } from '../../../../core/network/host-names.js';
import { findUrl } from '../../../../core/oauth/secure-url.js';
import { untilAborted } from '../../../../core/async/promises.js';
import {
  listNetworks,
  LOOPBACK_NETWORKS,
  PRIVATE_NETWORKS,
} from '../../../../core/network/address-networks.js';
import type { WebhookSettings } from '../../../settings/extensions/events-options.js';
import { WebhookReceiverError } from './webhook.error.js';

/** The exceptions from `https:` and public addresses. */
type ReceiverPolicy = Pick<WebhookSettings, 'allowHttp' | 'allowPrivateAddresses'>;

const LONGEST_URL = 2048;

/**
 * Parses a receiver URL. The URL parser normalizes decimal, octal, hexadecimal and short forms of addresses. The
 * addresses of names are checked before each connection.
 *
 * @throws {WebhookReceiverError} if the URL is not allowed
 */
export function parseReceiverUrl(text: string, policy: ReceiverPolicy): URL {
  if (text.length > LONGEST_URL)
    throw WebhookReceiverError.malformed(`must have at most ${LONGEST_URL} characters`);
  const url = findUrl(text);
  if (url === undefined) throw WebhookReceiverError.malformed('must be an absolute URL');
  assertScheme(url, policy);
  if (url.username + url.password !== '')
    throw WebhookReceiverError.malformed('must not contain a user name or password');
  if (!policy.allowPrivateAddresses && !isPublicHost(stripBrackets(url.hostname)))
    throw WebhookReceiverError.unusable('connection_refused');
  return url;
}

function assertScheme({ protocol }: URL, { allowHttp }: ReceiverPolicy): void {
  if (protocol === 'https:' || (allowHttp && protocol === 'http:')) return;
  throw WebhookReceiverError.malformed(`must start with "https:"${allowHttp ? ' or "http:"' : ''}`);
}

/** A name without a dot resolves in local search domains. */
function isPublicHost(host: string): boolean {
  if (isIP(host) !== 0) return isPublicAddress(host);
  const name = host.replace(/\.+$/, '');
  return name.includes('.') && !isLoopbackName(name) && !isPrivateName(name);
}

/** How receivers are resolved. */
type ResolvePolicy = Pick<WebhookSettings, 'allowPrivateAddresses' | 'resolveHost'>;

/** The maximum number of addresses, more than a connection would try. */
const MOST_ADDRESSES = 16;

/**
 * Resolves a receiver's addresses and checks all of them. A single private address rejects it, because a name with
 * both kinds is suspicious.
 *
 * @throws {WebhookReceiverError} if there are no addresses, or some are not public
 * @throws {Error} the signal's reason, if it is aborted during the lookup
 */
export async function resolveReceiver(
  url: URL,
  policy: ResolvePolicy,
  signal: AbortSignal,
): Promise<readonly LookupAddress[]> {
  const host = stripBrackets(url.hostname);
  const family = isIP(host);
  // A lookup cannot be cancelled, so late results are dropped.
  const found =
    family === 0 ? await untilAborted(findAddresses(host, policy), signal) : [{ address: host, family }];
  const isAllowed = ({ address }: LookupAddress) =>
    isIP(address) !== 0 && (policy.allowPrivateAddresses || isPublicAddress(address));
  if (found.length === 0 || !found.every(isAllowed))
    throw WebhookReceiverError.unusable('connection_refused');
  return found.slice(0, MOST_ADDRESSES).map(({ address }) => ({ address, family: isIP(address) }));
}

/**
 * Creates a lookup that returns only these addresses, so a connection uses a checked address even if DNS has changed
 * in the meantime.
 */
export function pinLookup(addresses: readonly LookupAddress[]): LookupFunction {
  return (_hostname, options, done) => {
    const [first] = addresses;
    if (options.all === true) done(null, [...addresses]);
    else done(null, first?.address ?? '', first?.family);
  };
}

async function findAddresses(
  host: string,
  { resolveHost }: ResolvePolicy,
): Promise<readonly LookupAddress[]> {
  try {
    return await resolveHost(host);
  } catch (cause) {
    // A name without addresses is rejected like a name with private ones, because the difference would reveal the local
    // network.
    throw WebhookReceiverError.unusable('connection_refused', { cause });
  }
}

/** Global unicast IPv6 addresses. All others are loopback, mapped, translated, local or unassigned. */
const GLOBAL_IPV6 = listNetworks(['2000::/3']);

/** Private addresses, and 6to4 addresses, which embed IPv4 addresses. */
const REFUSED = listNetworks([...LOOPBACK_NETWORKS, ...PRIVATE_NETWORKS, '2002::/16']);

/** Returns whether an address is on the public internet. */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !REFUSED.check(address, 'ipv4');
    case 6:
      return isPublicIpv6(address);
    default:
      return false;
  }
}

/** An address with a zone belongs to a local interface. */
function isPublicIpv6(address: string): boolean {
  if (address.includes('%')) return false;
  return GLOBAL_IPV6.check(address, 'ipv6') && !REFUSED.check(address, 'ipv6');
}
