import { lookup } from 'node:dns/promises';
import { findAddressScope, type AddressScope } from './address-reach.js';

/** Resolves a name; the list of addresses may be empty. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

/** The order of closeness to the requesting process. */
const CLOSENESS: { readonly [reach in AddressScope]: number } = { public: 0, private: 1, loopback: 2 };

/**
 * Protects against SSRF: the author of a URL must not make this process request hosts that the author cannot reach.
 *
 * A name is resolved before the connection. If its addresses change in between, TLS refuses the new machine, which has
 * no certificate for the name: every URL beyond this machine is `https`.
 */
export class SsrfGuard {
  #origin: Promise<number> | undefined;

  /** @param author the URL of the server that names other URLs */
  constructor(
    private readonly author: URL,
    private readonly resolve: Resolve = resolveName,
  ) {}

  /** Returns whether a URL leads closer to this process than its author. */
  async isCloser({ hostname }: URL): Promise<boolean> {
    if (hostname === this.author.hostname) return false;
    this.#origin ??= this.#findOrigin(this.author.hostname);
    const [target, origin] = await Promise.all([this.#findReaches(hostname), this.#origin]);
    return Math.max(...target) > origin;
  }

  /** The owner of a name can give it foreign addresses. So the farthest address counts, and none counts as this machine. */
  async #findOrigin(hostname: string): Promise<number> {
    const known = findAddressScope(hostname);
    if (known !== undefined) return CLOSENESS[known];
    return Math.min(CLOSENESS.private, ...(await this.#findReaches(hostname)));
  }

  /** Ranks the addresses of a host by closeness. */
  async #findReaches(hostname: string): Promise<readonly number[]> {
    const known = findAddressScope(hostname);
    // A name of a private network is at least private: it may even resolve to this machine.
    if (known !== undefined && known !== 'private') return [CLOSENESS[known]];
    const addresses = await this.resolve(hostname);
    const reaches = addresses.map((address) => CLOSENESS[findAddressScope(address) ?? 'public']);
    if (known !== undefined) return [CLOSENESS[known], ...reaches];
    return reaches.length === 0 ? [CLOSENESS.public] : reaches;
  }
}

/** A name without addresses cannot be reached; `fetch` reports that, or knows a proxy that resolves it. */
async function resolveName(hostname: string): Promise<readonly string[]> {
  try {
    return (await lookup(hostname, { all: true })).map(({ address }) => address);
  } catch {
    return [];
  }
}
