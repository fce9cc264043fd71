import type { LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { stripBrackets } from '../../../../../core/network/strip-brackets.js';
import { orAborted } from '../../../../../core/waiting/or-aborted.js';
import type { WebhookSettings } from '../../../../settings/extensions/webhook-options.js';
import { WebhookReceiverError } from '../webhook.error.js';
import { isPublicAddress } from './public-address.js';

/** How receivers are found. */
export type ResolvePolicy = Pick<WebhookSettings, 'allowPrivateAddresses' | 'resolveHost'>;

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
