import { nameAccount } from '../memory/memory-account.js';

/** A share's owner. */
export interface Sharer {
  /** Absent for a caller without a token. */
  readonly identity?: string | undefined;
  /** An anonymous caller's address, if known. */
  readonly address?: string | undefined;
}

/**
 * Returns the name under which shares are counted. All callers without a token at one address share a name. If the
 * address is unknown, each session has its own name.
 */
export function nameSharer({ identity, address, key = '' }: Sharer & { readonly key?: string }): string {
  if (identity !== undefined) return `identity ${nameAccount(identity)}`;
  return address === undefined ? `session ${key}` : `address ${address}`;
}

/** The limits on a resource that callers share. */
export interface ShareLimits {
  readonly all: number;
  readonly perCaller: number;
  /** The maximum for callers without a token at one address. @default a tenth of all */
  readonly perAddress?: number;
  /** Whether the server requires tokens: half of the resource is then reserved for callers with a token. */
  readonly isProtected: boolean;
}

/** One address may use the total divided by this number. */
const ADDRESS_SHARE = 10;

/** Counts how much of a limited resource each caller uses, and determines who may use more. */
export class CallerShares {
  readonly #byIdentity = new IdentityCounts();
  readonly #byAddress = new IdentityCounts();
  #size = 0;
  #anonymous = 0;

  constructor(private readonly limits: ShareLimits) {}

  /** Finds the limit that prevents a caller from using one more. Returns `undefined` if there is none. */
  findBound({ identity, address }: Sharer): number | undefined {
    const { all, perCaller, perAddress = Math.ceil(all / ADDRESS_SHARE), isProtected } = this.limits;
    if (this.#size >= all) return all;
    if (identity !== undefined)
      return this.#byIdentity.get(nameAccount(identity)) >= perCaller ? perCaller : undefined;
    const maxAnonymous = isProtected ? Math.ceil(all / 2) : all;
    if (this.#anonymous >= maxAnonymous) return maxAnonymous;
    return this.#byAddress.get(address) >= perAddress ? perAddress : undefined;
  }

  add({ identity, address }: Sharer): void {
    this.#size += 1;
    if (identity !== undefined) return this.#byIdentity.add(nameAccount(identity));
    this.#anonymous += 1;
    this.#byAddress.add(address);
  }

  remove({ identity, address }: Sharer): void {
    this.#size -= 1;
    if (identity !== undefined) return this.#byIdentity.remove(nameAccount(identity));
    this.#anonymous -= 1;
    this.#byAddress.remove(address);
  }
}

/** Counts each caller's share. Unknown callers are not counted individually; only the total limits them. */
export class IdentityCounts {
  readonly #counts = new Map<string, number>();

  get(identity: string | undefined): number {
    return identity === undefined ? 0 : (this.#counts.get(identity) ?? 0);
  }

  add(identity: string | undefined): void {
    if (identity !== undefined) this.#counts.set(identity, this.get(identity) + 1);
  }

  /** Subtracts one, and removes a caller whose count reaches zero. */
  remove(identity: string | undefined): void {
    if (identity === undefined) return;
    const left = this.get(identity) - 1;
    if (left > 0) this.#counts.set(identity, left);
    else this.#counts.delete(identity);
  }
}
