import { lookup } from 'node:dns/promises';
import { findReach, type Reach } from './address-reach.js';

/** Returns the addresses of a name; the list may be empty. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

/** How close each is to whoever asks: nobody leads closer than where they stand. */
const CLOSENESS: { readonly [reach in Reach]: number } = { public: 0, private: 1, loopback: 2 };

/**
 * Keeps the author of a URL from having others ask machines that the author cannot reach.
 *
 * A name is looked up before it is connected to. Names that change in between lead to machines which have no certificate
 * for them, and are refused by TLS: beyond this machine everything is `https`.
 */
export class ReachGuard {
  #origin: Promise<number> | undefined;

  /** @param author the URL of whoever names the others */
  constructor(
    private readonly author: URL,
    private readonly resolve: Resolve = resolveName,
  ) {}

  /** Tells whether a URL leads closer than its author stands. */
  async leadsCloser({ hostname }: URL): Promise<boolean> {
    if (hostname === this.author.hostname) return false;
    this.#origin ??= this.#findOrigin(this.author.hostname);
    const [target, origin] = await Promise.all([this.#findReaches(hostname), this.#origin]);
    return Math.max(...target) > origin;
  }

  /** The owner of a name can give it foreign addresses. So the farthest address counts, and no address counts as this machine. */
  async #findOrigin(hostname: string): Promise<number> {
    const known = findReach(hostname);
    if (known !== undefined) return CLOSENESS[known];
    return Math.min(CLOSENESS.private, ...(await this.#findReaches(hostname)));
  }

  /** Classifies the addresses of a host by how near they are. */
  async #findReaches(hostname: string): Promise<readonly number[]> {
    const known = findReach(hostname);
    // A name of private networks is theirs at the least: they may have it lead to this machine.
    if (known !== undefined && known !== 'private') return [CLOSENESS[known]];
    const addresses = await this.resolve(hostname);
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
