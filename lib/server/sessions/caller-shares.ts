import { nameAccount } from '../memory/memory-account.js';

/** Whose something is. */
export interface Sharer {
  /** Absent for a caller without a token. */
  readonly identity?: string | undefined;
  /** Where a caller without a token came from, if that is known. */
  readonly address?: string | undefined;
}

/**
 * Returns the name of a caller for shares. All callers without a token at one address have one name. If no address is
 * known, each session is.
 */
export function nameSharer({ identity, address, key = '' }: Sharer & { readonly key?: string }): string {
  if (identity !== undefined) return `identity ${nameAccount(identity)}`;
  return address === undefined ? `session ${key}` : `address ${address}`;
}

/** What callers share. */
export interface ShareLimits {
  readonly all: number;
  readonly perIdentity: number;
  /** What strangers at one address may have. @default a tenth of all */
  readonly perAddress?: number;
  /** Whether the server asks for tokens: callers without one leave half of everything to those who have one. */
  readonly isProtected: boolean;
}

/** One address may have one of so many parts. */
const ADDRESS_SHARE = 10;

/** Counts how much of a limited resource each caller has, and tells who may have more. */
export class CallerShares {
  readonly #byIdentity = new IdentityCounts();
  readonly #byAddress = new IdentityCounts();
  #size = 0;
  #anonymous = 0;

  constructor(private readonly bounds: ShareLimits) {}

  /** Finds the bound that keeps a caller from having one more. Returns `undefined` if it may. */
  findBound({ identity, address }: Sharer): number | undefined {
    const { all, perIdentity, perAddress = Math.ceil(all / ADDRESS_SHARE), isProtected } = this.bounds;
    if (this.#size >= all) return all;
    if (identity !== undefined)
      return this.#byIdentity.get(nameAccount(identity)) >= perIdentity ? perIdentity : undefined;
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

/** Counts what each caller has. Callers that are not known are not counted: they are many, and share the bound of all alone. */
export class IdentityCounts {
  readonly #counts = new Map<string, number>();

  get(identity: string | undefined): number {
    return identity === undefined ? 0 : (this.#counts.get(identity) ?? 0);
  }

  add(identity: string | undefined): void {
    if (identity !== undefined) this.#counts.set(identity, this.get(identity) + 1);
  }

  /** Subtracts one. A caller without any is forgotten. */
  remove(identity: string | undefined): void {
    if (identity === undefined) return;
    const left = this.get(identity) - 1;
    if (left > 0) this.#counts.set(identity, left);
    else this.#counts.delete(identity);
  }
}
