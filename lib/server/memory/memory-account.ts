/** Who has something kept. */
export interface MemoryCaller {
  /** Tells callers apart; absent for a stranger, who brings no token. */
  readonly identity?: string | undefined;
  /** The address that a stranger counts for; absent if everybody may have it. */
  readonly address?: string | undefined;
}

/** No digest has it. */
const BEFORE_KEY = '~';

/** Returns the identity of a caller whose token is bound to a key. Work that began with one key is not for a holder of another. */
export function formatBoundIdentity(account: string, keyThumbprint: string): string {
  return account + BEFORE_KEY + keyThumbprint;
}

/**
 * Returns the common part of a caller's identities, without the key of the token. Keys are made as one likes, so bounds
 * hold for all of them together.
 */
export function nameAccount(identity: string): string {
  const end = identity.indexOf(BEFORE_KEY);
  return end === -1 ? identity : identity.slice(0, end);
}

/** Something that can do without some of its memory. */
export interface Reclaimable {
  /** Gives up what it can do without, and withdraws its offer. */
  reclaim(): void;
}

/**
 * How memory is taken. `passing` ends with the answer to a request. `lasting` ends with a client, a task or a webhook.
 * `kept` can make room for others.
 */
export type MemoryUse = 'kept' | 'passing' | 'lasting';

/** What lasts leaves as large a part of a share to what comes and goes. */
const LASTING_SHARE = 0.5;

/** The memory of one caller, or of several together. */
export class MemoryAccount {
  /** How much is open that counts here: as long as there is any, the account is known. */
  holds = 0;
  #used = 0;
  #passing = 0;
  #lasting = 0;
  #spares: Set<Reclaimable> | undefined;
  #parent: MemoryAccount | undefined;

  constructor(
    public limit: number,
    parent?: MemoryAccount,
    /** Absent if it is several callers'. */
    readonly owner: MemoryCaller = {},
  ) {
    this.#parent = parent;
  }

  /** Bytes that are taken. */
  get used(): number {
    return this.#used;
  }

  /** Bytes of these that requests take, which are free as soon as those are answered. */
  get passing(): number {
    return this.#passing;
  }

  /**
   * Tells whether there is room. While other requests run, a request may take at most half of the free memory, so that
   * small requests find room next to large ones.
   *
   * @param own what the request that asks has already
   */
  hasRoomFor(bytes: number, own = 0): boolean {
    const left = this.limit - this.#used;
    return bytes <= (this.#passing <= own ? left : left / 2);
  }

  /** Finds which of this account and those above it has no room. */
  findFull(bytes: number, own = 0): MemoryAccount | undefined {
    return this.hasRoomFor(bytes, own) ? this.#parent?.findFull(bytes, own) : this;
  }

  /** Tells whether this account and those above it have so much when nobody else has any. */
  canEverHold(bytes: number): boolean {
    return bytes <= this.limit && this.#parent?.canEverHold(bytes) !== false;
  }

  /** Tells whether requests take so much that there is room as soon as they are answered. */
  isFreeSoon(bytes: number): boolean {
    return this.#passing >= this.#used + bytes - this.limit;
  }

  /**
   * Finds which of this account and those above it has no room for something that lasts.
   *
   * @param own what it takes already: one thing alone may be large
   */
  findCrowded(bytes: number, own: number): MemoryAccount | undefined {
    const isCrowded = this.#lasting > own && this.#lasting + bytes > this.limit * LASTING_SHARE;
    return isCrowded ? this : this.#parent?.findCrowded(bytes, own);
  }

  /** Tells whether what is taken here counts there. */
  isWithin(account: MemoryAccount): boolean {
    return this === account || this.#parent?.isWithin(account) === true;
  }

  /** Counts bytes, here and above. */
  count(bytes: number, use: MemoryUse): void {
    this.#used += bytes;
    if (use === 'passing') this.#passing += bytes;
    if (use === 'lasting') this.#lasting += bytes;
    this.#parent?.count(bytes, use);
  }

  /** Notes that something can do without some of what it takes. */
  addReclaimable(spare: Reclaimable): void {
    this.#spares ??= new Set();
    this.#spares.add(spare);
    this.#parent?.addReclaimable(spare);
  }

  removeReclaimable(spare: Reclaimable): void {
    this.#spares?.delete(spare);
    this.#parent?.removeReclaimable(spare);
  }

  /** Gives up what can be done without, the oldest first, until there is room. */
  reclaim(bytes: number, own = 0): void {
    for (const spare of this.#spares ?? []) {
      if (this.hasRoomFor(bytes, own)) return;
      spare.reclaim();
    }
  }

  /** Counts for nobody else any more. */
  detach(): void {
    for (const spare of this.#spares ?? []) this.#parent?.removeReclaimable(spare);
    this.#parent?.count(-this.#passing, 'passing');
    this.#parent?.count(-this.#lasting, 'lasting');
    this.#parent?.count(this.#passing + this.#lasting - this.#used, 'kept');
    this.#parent = undefined;
  }
}
