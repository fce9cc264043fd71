import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { listNetworks, LOOPBACK_NETWORKS, PRIVATE_NETWORKS } from './address-networks.js';
import { isLoopbackName, isPrivateName, stripBrackets } from './host-names.js';

/** The network that an address can be reached from: any network, the same network, or the same machine. */
export type AddressScope = 'public' | 'private' | 'loopback';

const LOOPBACK = listNetworks(LOOPBACK_NETWORKS.flatMap(listForms));
const PRIVATE = listNetworks(PRIVATE_NETWORKS.flatMap(listForms));

/** Determines where a host can be reached from. Returns `undefined` if that depends on its name's addresses. */
export function findAddressScope(hostname: string): AddressScope | undefined {
  const host = stripBrackets(hostname);
  const version = isIP(host);
  if (version === 0) return findReachOfName(host);
  const family = version === 6 ? 'ipv6' : 'ipv4';
  if (LOOPBACK.check(host, family)) return 'loopback';
  return PRIVATE.check(host, family) ? 'private' : 'public';
}

function findReachOfName(name: string): AddressScope | undefined {
  if (isLoopbackName(name)) return 'loopback';
  return isPrivateName(name) ? 'private' : undefined;
}

/**
 * IPv4 addresses represent themselves and the IPv6 addresses that contain them: translated ones (RFC 6052), tunnelled
 * ones (RFC 3056) and IPv4-compatible ones (RFC 4291 §2.5.5.1).
 */
function listForms(network: string): readonly string[] {
  if (network.includes(':')) return [network];
  const [address = '', length] = network.split('/');
  const prefix = Number(length);
  return [
    network,
    `64:ff9b::${address}/${96 + prefix}`,
    `::${address}/${96 + prefix}`,
    `2002:${formatGroups(address)}::/${16 + prefix}`,
  ];
}

/** Writes an IPv4 address as two groups of an IPv6 address. */
function formatGroups(address: string): string {
  const [first = 0, second = 0, third = 0, fourth = 0] = address.split('.').map(Number);
  return [first * 256 + second, third * 256 + fourth].map((group) => group.toString(16)).join(':');
}

/** Resolves a name; the list of addresses may be empty. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

/** The order of closeness to the requesting process. */
const CLOSENESS: { readonly [reach in AddressScope]: number } = { public: 0, private: 1, loopback: 2 };

/**
 * Protects against SSRF: a URL's author must not be able to make this process request hosts that the author cannot
 * reach.
 *
 * A name is resolved before the connection. If its addresses change in the meantime, TLS rejects the new machine,
 * which has no certificate for the name: every URL beyond this machine is `https`.
 */
export class SsrfGuard {
  #origin: Promise<number> | undefined;

  /** @param author the URL of the server that names other URLs */
  constructor(
    private readonly author: URL,
    private readonly resolve: Resolve = resolveName,
  ) {}

  /** Returns whether a URL points closer to this process than its author. */
  async isCloser({ hostname }: URL): Promise<boolean> {
    if (hostname === this.author.hostname) return false;
    this.#origin ??= this.#findOrigin(this.author.hostname);
    const [target, origin] = await Promise.all([this.#findReaches(hostname), this.#origin]);
    return Math.max(...target) > origin;
  }

  /**
   * A name's owner can assign arbitrary addresses to it, so the farthest address counts, and no address counts as
   * this machine.
   */
  async #findOrigin(hostname: string): Promise<number> {
    const known = findAddressScope(hostname);
    if (known !== undefined) return CLOSENESS[known];
    return Math.min(CLOSENESS.private, ...(await this.#findReaches(hostname)));
  }

  /** Ranks a host's addresses by closeness. */
  async #findReaches(hostname: string): Promise<readonly number[]> {
    const known = findAddressScope(hostname);
    // A name in a private network is at least private, and may even resolve to this machine.
    if (known !== undefined && known !== 'private') return [CLOSENESS[known]];
    const addresses = await this.resolve(hostname);
    const reaches = addresses.map((address) => CLOSENESS[findAddressScope(address) ?? 'public']);
    if (known !== undefined) return [CLOSENESS[known], ...reaches];
    return reaches.length === 0 ? [CLOSENESS.public] : reaches;
  }
}

/** Returns whether all of a host's addresses can be reached from anywhere. A name without addresses is not public. */
export async function isPublicHost(hostname: string, resolve: Resolve = resolveName): Promise<boolean> {
  const known = findAddressScope(hostname);
  if (known !== undefined) return known === 'public';
  const addresses = await resolve(hostname);
  return addresses.length > 0 && addresses.every((address) => findAddressScope(address) === 'public');
}

/** A name without addresses cannot be reached. `fetch` reports that, or uses a proxy that resolves it. */
async function resolveName(hostname: string): Promise<readonly string[]> {
  try {
    return (await lookup(hostname, { all: true })).map(({ address }) => address);
  } catch {
    return [];
  }
}
