import { lookup } from 'node:dns/promises';
import { orAborted } from '../../../core/waiting/or-aborted.js';
import { PrivateAddressError } from '../errors/private-address.error.js';
import { findReach, type Reach } from './address-reach.js';

/** The server to guard against, and the resolver of names. */
export interface GuardSettings {
  readonly serverUrl?: string | undefined;
  readonly fetch?: typeof fetch | undefined;
  readonly allowPrivateAddresses?: boolean | undefined;
}

/** Returns the addresses of a name; the list may be empty. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

/** How close each is to the client: nobody leads closer than where they stand. */
const CLOSENESS: { readonly [reach in Reach]: number } = { public: 0, private: 1, loopback: 2 };

/**
 * Keeps a server from having its client ask machines that the server itself cannot reach.
 *
 * A name is looked up before it is connected to. Names that change in between lead to machines which have no certificate
 * for them, and are refused by TLS: beyond this machine everything is `https`.
 */
export class AddressGuard {
  #origin: Promise<number> | undefined;

  constructor(
    private readonly settings: GuardSettings,
    private readonly resolve: Resolve = resolveName,
  ) {}

  /** @throws {PrivateAddressError} if a URL leads closer than the server stands */
  async assertInReach(url: string, signal?: AbortSignal): Promise<void> {
    const { serverUrl, allowPrivateAddresses = false } = this.settings;
    if (serverUrl === undefined || allowPrivateAddresses) return;
    const { hostname } = new URL(url);
    if (hostname === new URL(serverUrl).hostname) return;
    this.#origin ??= this.#findOrigin(new URL(serverUrl).hostname);
    // Looking up names cannot be stopped.
    const [target, origin] = await orAborted(
      Promise.all([this.#findReaches(hostname), this.#origin]),
      signal,
    );
    if (Math.max(...target) > origin) throw new PrivateAddressError(url, serverUrl);
  }

  /** The owner of a name can give it foreign addresses. So the farthest address counts, and no address counts as this machine. */
  async #findOrigin(hostname: string): Promise<number> {
    const known = findReach(hostname);
    if (known !== undefined) return CLOSENESS[known];
    return Math.min(CLOSENESS.private, ...(await this.#findReaches(hostname)));
  }

  /** Classifies the addresses of a host by how near they are. A name is not resolved here if `fetch` is given, which resolves it itself. */
  async #findReaches(hostname: string): Promise<readonly number[]> {
    const known = findReach(hostname);
    // A name of private networks is theirs at the least: they may have it lead to this machine.
    if (known !== undefined && known !== 'private') return [CLOSENESS[known]];
    const addresses = this.settings.fetch === undefined ? await this.resolve(hostname) : [];
    const reaches = addresses.map((address) => CLOSENESS[findReach(address) ?? 'public']);
    if (known !== undefined) return [CLOSENESS[known], ...reaches];
    return reaches.length === 0 ? [CLOSENESS.public] : reaches;
  }
}

/** A name without addresses is not reached; `fetch` says so, or knows a proxy that resolves it. */
async function resolveName(hostname: string): Promise<readonly string[]> {
  try {
    return (await lookup(hostname, { all: true })).map(({ address }) => address);
  } catch {
    return [];
  }
}
