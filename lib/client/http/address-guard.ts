import { lookup } from 'node:dns/promises';
import { PrivateAddressError } from '../errors/private-address.error.js';
import { orAborted } from '../or-aborted.js';
import { findReach, type Reach } from './address-reach.js';

/** Whom to guard against, and how names are resolved. */
export interface GuardSettings {
  readonly serverUrl?: string | undefined;
  readonly fetch?: typeof fetch | undefined;
  readonly allowPrivateAddresses?: boolean | undefined;
}

/** How close each is to the client: nobody leads closer than where they stand. */
const CLOSENESS: { readonly [reach in Reach]: number } = { public: 0, private: 1, loopback: 2 };

/**
 * Keeps a server from having its client ask machines that the server itself cannot reach.
 *
 * A name is looked up before it is connected to. Names that change in between lead to machines which have no certificate
 * for them, and are refused by TLS: beyond this machine everything is `https`.
 */
export class AddressGuard {
  #origin: Promise<Reach> | undefined;

  constructor(private readonly settings: GuardSettings) {}

  /** @throws {PrivateAddressError} where a URL leads closer than the server stands */
  async check(url: string, signal?: AbortSignal): Promise<void> {
    const { serverUrl, allowPrivateAddresses = false } = this.settings;
    if (serverUrl === undefined || allowPrivateAddresses) return;
    const { hostname } = new URL(url);
    if (hostname === new URL(serverUrl).hostname) return;
    this.#origin ??= this.#findReach(new URL(serverUrl).hostname);
    // Looking up names cannot be stopped.
    const [target, server] = await orAborted(Promise.all([this.#findReach(hostname), this.#origin]), signal);
    if (CLOSENESS[target] > CLOSENESS[server]) throw new PrivateAddressError(url, serverUrl);
  }

  /** A name is as close as the closest of its addresses. Where `fetch` is given, so is how names are resolved. */
  async #findReach(hostname: string): Promise<Reach> {
    const known = findReach(hostname);
    if (known !== undefined) return known;
    if (this.settings.fetch !== undefined) return 'public';
    const reaches = (await resolve(hostname)).map((address) => findReach(address) ?? 'public');
    return reaches.reduce(
      (first, second) => (CLOSENESS[second] > CLOSENESS[first] ? second : first),
      'public',
    );
  }
}

/** A name without addresses is not reached; `fetch` says so, or knows a proxy that resolves it. */
async function resolve(hostname: string): Promise<readonly string[]> {
  try {
    return (await lookup(hostname, { all: true })).map(({ address }) => address);
  } catch {
    return [];
  }
}
