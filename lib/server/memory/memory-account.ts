/** The caller toward which stored state counts. */
export interface MemoryCaller {
  /** Identifies an authenticated caller; absent for an anonymous one. */
  readonly identity?: string | undefined;
  /** An anonymous caller's address; absent if all of them may share it. */
  readonly address?: string | undefined;
}

/** No digest contains this character. */
const BEFORE_KEY = '~';

/** Returns the identity of a caller with a key-bound token. Work started with one key is closed to holders of another. */
export function formatBoundIdentity(account: string, keyThumbprint: string): string {
  return account + BEFORE_KEY + keyThumbprint;
}

/**
 * Returns the part of an identity that all of a caller's keys share. Callers can create any number of keys, so limits
 * apply to the caller as a whole.
 */
export function nameAccount(identity: string): string {
  const end = identity.indexOf(BEFORE_KEY);
  return end === -1 ? identity : identity.slice(0, end);
}

/** State that can release some of its memory on request. */
export interface Reclaimable {
  /** Releases dispensable memory and withdraws the offer. */
  reclaim(): void;
}

/**
 * Lifetime of counted memory. `passing` is released with the response to a request. `lasting` is released with a client, a
 * task or a webhook. `kept` may be evicted for other callers.
 */
export type MemoryUse = 'kept' | 'passing' | 'lasting';

/** The share of a limit that long-lived state may fill; the rest is reserved for requests. */
const LONG_LIVED_SHARE = 0.5;

/** Counts the memory of one caller, or of a group of callers. */
export class MemoryAccount {
  /** Open holds on this account, which is retained while there are any. */
  holds = 0;
  #used = 0;
  #passing = 0;
  #lasting = 0;
  #reclaimables: Set<Reclaimable> | undefined;
  #parent: MemoryAccount | undefined;

  constructor(
    public limit: number,
    parent?: MemoryAccount,
    /** Absent for a group of callers. */
    readonly owner: MemoryCaller = {},
  ) {
    this.#parent = parent;
  }

  /** Counted bytes. */
  get used(): number {
    return this.#used;
  }

  /** Counted bytes of running requests, which are freed with their responses. */
  get passing(): number {
    return this.#passing;
  }

  /**
   * Whether `bytes` more bytes fit. While other requests run, one request may use at most half of the free memory, so
   * that small requests fit next to large ones.
   *
   * @param own bytes that the same request already holds
   */
  hasRoomFor(bytes: number, own = 0): boolean {
    const left = this.limit - this.#used;
    return bytes <= (this.#passing <= own ? left : left / 2);
  }

  /** Finds the first account, from here upwards, that is full. */
  findFull(bytes: number, own = 0): MemoryAccount | undefined {
    return this.hasRoomFor(bytes, own) ? this.#parent?.findFull(bytes, own) : this;
  }

  /** Whether this account and its parents could hold this much if they held nothing else. */
  canEverHold(bytes: number): boolean {
    return bytes <= this.limit && this.#parent?.canEverHold(bytes) !== false;
  }

  /** Whether enough becomes free as soon as the running requests finish. */
  isFreeSoon(bytes: number): boolean {
    return this.#passing >= this.#used + bytes - this.limit;
  }

  /**
   * Finds the first account, from here upwards, with no capacity left for long-lived state.
   *
   * @param own bytes that the same state already holds, because a single item may be large
   */
  findCrowded(bytes: number, own: number): MemoryAccount | undefined {
    const isCrowded = this.#lasting > own && this.#lasting + bytes > this.limit * LONG_LIVED_SHARE;
    return isCrowded ? this : this.#parent?.findCrowded(bytes, own);
  }

  /** Whether bytes counted here also count toward `account`. */
  isWithin(account: MemoryAccount): boolean {
    return this === account || this.#parent?.isWithin(account) === true;
  }

  /** Counts bytes in this account and its parents. */
  count(bytes: number, use: MemoryUse): void {
    this.#used += bytes;
    if (use === 'passing') this.#passing += bytes;
    if (use === 'lasting') this.#lasting += bytes;
    this.#parent?.count(bytes, use);
  }

  /** Registers state that can release memory on request. */
  addReclaimable(reclaimable: Reclaimable): void {
    this.#reclaimables ??= new Set();
    this.#reclaimables.add(reclaimable);
    this.#parent?.addReclaimable(reclaimable);
  }

  removeReclaimable(reclaimable: Reclaimable): void {
    this.#reclaimables?.delete(reclaimable);
    this.#parent?.removeReclaimable(reclaimable);
  }

  /** Reclaims memory, oldest offers first, until `bytes` fit. */
  reclaim(bytes: number, own = 0): void {
    for (const reclaimable of this.#reclaimables ?? []) {
      if (this.hasRoomFor(bytes, own)) return;
      reclaimable.reclaim();
    }
  }

  /** Stops counting for the parents. */
  detach(): void {
    for (const reclaimable of this.#reclaimables ?? []) this.#parent?.removeReclaimable(reclaimable);
    this.#parent?.count(-this.#passing, 'passing');
    this.#parent?.count(-this.#lasting, 'lasting');
    this.#parent?.count(this.#passing + this.#lasting - this.#used, 'kept');
    this.#parent = undefined;
  }
}
