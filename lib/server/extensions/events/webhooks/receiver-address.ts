import { isIP, type LookupFunction } from 'node:net';
import type { LookupAddress } from 'node:dns';
import { isLoopbackName, isPrivateName } from '../../../../core/network/private-names.js';
import { stripBrackets } from '../../../../core/network/strip-brackets.js';
import { findUrl } from '../../../../core/oauth/find-url.js';
import { orAborted } from '../../../../core/waiting/or-aborted.js';
import {
  listNetworks,
  LOOPBACK_NETWORKS,
  PRIVATE_NETWORKS,
} from '../../../../core/network/special-networks.js';
import type { WebhookSettings } from '../../../settings/extensions/events-options.js';
import { WebhookReceiverError } from './webhook.error.js';

/** The allowed exceptions from `https:` and public addresses. */
type ReceiverPolicy = Pick<WebhookSettings, 'allowHttp' | 'allowPrivateAddresses'>;

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

/** How receivers are found. */
type ResolvePolicy = Pick<WebhookSettings, 'allowPrivateAddresses' | 'resolveHost'>;

/** More addresses than a connection would try. */
const MOST_ADDRESSES = 16;

/**
 * Finds the addresses of a receiver and checks all of them. One private address refuses the receiver, because a name
 * with both kinds is no accident.
 *
 * @throws {WebhookReceiverError} if there are none, or not public ones alone
 * @throws {Error} the reason of the signal, if the look-up takes longer than that allows
 */
export async function resolveReceiver(
  url: URL,
  policy: ResolvePolicy,
  signal: AbortSignal,
): Promise<readonly LookupAddress[]> {
  const host = stripBrackets(url.hostname);
  const family = isIP(host);
  // A look-up cannot be called off; what it gives late is dropped.
  const found =
    family === 0 ? await orAborted(findAddresses(host, policy), signal) : [{ address: host, family }];
  const isAllowed = ({ address }: LookupAddress) =>
    isIP(address) !== 0 && (policy.allowPrivateAddresses || isPublicAddress(address));
  if (found.length === 0 || !found.every(isAllowed))
    throw WebhookReceiverError.unusable('connection_refused');
  return found.slice(0, MOST_ADDRESSES).map(({ address }) => ({ address, family: isIP(address) }));
}

/** Creates a look-up that knows only these addresses. So a connection goes to a checked address, even if the name has changed meanwhile. */
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
    // A name without addresses is refused as one with private addresses is: the difference would reveal the local network.
    throw WebhookReceiverError.unusable('connection_refused', { cause });
  }
}

/** All that is unicast and global in IPv6; everything outside is loopback, mapped, translated, local or not given out. */
const GLOBAL_IPV6 = listNetworks(['2000::/3']);

/** Addresses that contain IPv4 addresses, as 6to4 does, are refused together with private addresses. */
const REFUSED = listNetworks([...LOOPBACK_NETWORKS, ...PRIVATE_NETWORKS, '2002::/16']);

/** Tells whether an address is one of the public internet's. */
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

/** An address of one interface of this machine has its zone behind it. */
function isPublicIpv6(address: string): boolean {
  if (address.includes('%')) return false;
  return GLOBAL_IPV6.check(address, 'ipv6') && !REFUSED.check(address, 'ipv6');
}
