import { HeapCost, MemoryLimitError, type MemoryLimitScope } from './memory-limits.js';
import {
  MemoryAccount,
  type MemoryCaller,
  type MemoryUse,
  nameAccount,
  type Reclaimable,
} from './memory-account.js';
import type { OnApplicationShutdown } from '@nestjs/common';
import type { ServerSettings } from '../settings/server-settings.js';

/** Memory that does not fit at the moment. */
export interface MemoryNeed {
  /** The account that needs it. */
  readonly account: MemoryAccount;
  readonly bytes: number;
  /** Bytes that the same request already holds. */
  readonly own: number;
  /** Bytes that the same hold already counts and that are released with it. */
  readonly grown: number;
  /** Whether anything besides delivered messages may be evicted for it. */
  readonly mayEndOthers: boolean;
  /** The hold that the request belongs to, which is not evicted for it. @default none */
  readonly excluded?: MemoryReservation | undefined;
}

/** Parameters of a new hold. */
export interface Taking extends Pick<MemoryNeed, 'bytes' | 'excluded'> {
  readonly use: MemoryUse;
}

/** Counts memory for an account until it is released. */
export class MemoryReservation {
  #account: MemoryAccount;
  #bytes = 0;
  #reclaimable: Reclaimable | undefined;
  #isReleased = false;
  /** Memory that several holds share after a transfer; it counts until the last of them is released. */
  #shared: MemoryReservation | undefined;
  /** Number of holds that share this one. */
  #sharers = 1;

  private constructor(
    private readonly room: MemoryBudget,
    account: MemoryAccount,
    private readonly use: MemoryUse,
  ) {
    this.#account = account;
    account.holds += 1;
  }

  /**
   * Counts memory for a caller.
   *
   * @throws {MemoryLimitError} if it does not fit
   */
  static take(room: MemoryBudget, owner: MemoryCaller, { bytes, use, excluded }: Taking): MemoryReservation {
    const hold = new MemoryReservation(room, room.findAccount(owner), use);
    try {
      hold.add(bytes, excluded);
      return hold;
    } catch (error) {
      hold.release();
      throw error;
    }
  }

  /** Counted bytes, including a shared part. */
  get bytes(): number {
    return this.#bytes + (this.#shared?.bytes ?? 0);
  }

  /** The account toward which these bytes count. */
  get account(): MemoryAccount {
    return this.#account;
  }

  /**
   * Counts more bytes, or fewer if `bytes` is negative.
   *
   * @throws {MemoryLimitError} if they do not fit
   */
  add(bytes: number, excluded?: MemoryReservation): void {
    if (this.#isReleased) return;
    if (bytes > 0) this.#makeRoom(bytes, excluded);
    this.#take(bytes);
  }

  /**
   * Asserts that this many more bytes could ever fit.
   *
   * @throws {MemoryLimitError} if they never can
   */
  assertCanTake(bytes: number): void {
    if (!this.#account.canEverHold(this.#bytes + bytes)) throw new MemoryLimitError();
  }

  /** Counts more bytes unless that would evict something still needed. Returns whether it did. */
  tryAdd(bytes: number): boolean {
    if (this.#isReleased || !Number.isFinite(bytes) || !this.room.hasRoom(this.#account, bytes, this.#own))
      return false;
    this.#take(bytes);
    return true;
  }

  /** Sets the count even if it does not fit, because the memory is already in use. */
  resize(bytes: number): void {
    if (!this.#isReleased) this.#take(bytes - this.#bytes);
  }

  /**
   * Transfers a request's memory to state that outlives it. A batch can create several tasks, and it is unknown which
   * parts of the request each of them references, so all of it counts until the request and every task are done.
   *
   * @throws {MemoryLimitError} if long-lived state has reached its limit
   */
  transfer(): MemoryReservation {
    const bytes = this.#bytes;
    this.room.assertLongLivedFits(this.#account, bytes, 0);
    const heir = new MemoryReservation(this.room, this.#account, 'lasting');
    this.#take(-bytes);
    if (this.#shared === undefined) {
      this.#shared = new MemoryReservation(this.room, this.#account, 'lasting');
      this.#shared.#take(bytes);
    } else heir.#take(bytes);
    heir.#shared = this.#shared;
    this.#shared.#sharers += 1;
    return heir;
  }

  /** Offers some of this memory for reclaiming. */
  offerToReclaim(reclaimable: Reclaimable): void {
    if (this.#isReleased || this.#reclaimable !== undefined) return;
    this.#reclaimable = reclaimable;
    this.#account.addReclaimable(reclaimable);
  }

  /** Withdraws the offer. */
  withdrawOffer(): void {
    if (this.#reclaimable !== undefined) this.#account.removeReclaimable(this.#reclaimable);
    this.#reclaimable = undefined;
  }

  /**
   * Moves this memory to a caller that was identified later.
   *
   * @param leaving the hold that the account gives up in exchange
   * @throws {MemoryLimitError} if the caller has no capacity; in that case, nothing has changed
   */
  moveTo(identity: string, leaving?: MemoryReservation): void {
    const account = this.room.findAccount({ identity });
    try {
      const bytes = this.#bytes - (leaving?.account === account ? leaving.bytes : 0);
      account.reclaim(bytes);
      if (!account.hasRoomFor(bytes)) throw this.room.createLimitError(account, bytes);
      this.#move(account);
    } finally {
      this.room.forget(account);
    }
  }

  /** Releases all of it. A shared part is released with its last holder. */
  release(): void {
    if (this.#isReleased) return;
    this.withdrawOffer();
    this.#take(-this.#bytes);
    this.#isReleased = true;
    this.#leave();
    if (this.#shared !== undefined) this.#shared.#releasePart();
  }

  #releasePart(): void {
    this.#sharers -= 1;
    if (this.#sharers === 0) this.release();
  }

  #move(account: MemoryAccount): void {
    const bytes = this.#bytes;
    const reclaimable = this.#reclaimable;
    this.withdrawOffer();
    this.#take(-bytes);
    // Counted first, because an account without holds may be dropped.
    account.holds += 1;
    this.#leave();
    this.#account = account;
    this.#take(bytes);
    if (reclaimable !== undefined) this.offerToReclaim(reclaimable);
  }

  /** Bytes that the requesting request already holds. */
  get #own(): number {
    return this.use === 'passing' ? this.#bytes : 0;
  }

  #makeRoom(bytes: number, excluded: MemoryReservation | undefined): void {
    const account = this.#account;
    if (this.use === 'lasting') this.room.assertLongLivedFits(account, bytes, this.#bytes);
    const own = this.#own;
    if (account.findFull(bytes, own) === undefined) return;
    const grown = this.use === 'kept' ? 0 : this.#bytes;
    this.room.evictFor({ account, bytes, own, grown, mayEndOthers: grown === 0, excluded });
  }

  #leave(): void {
    this.#account.holds -= 1;
    this.room.forget(this.#account);
  }

  /** A NaN would make the account reject everything from then on, in every server of the process. */
  #take(bytes: number): void {
    if (!Number.isFinite(bytes)) return;
    this.#bytes += bytes;
    this.#account.count(bytes, this.use);
  }
}

/** Stores state that can be evicted, or that expires. */
export interface MemoryEvictor {
  /**
   * Evicts an account's least needed state until `need` fits or nothing is left.
   *
   * @param need how much is needed, and for which caller
   */
  evict?(account: MemoryAccount, need: MemoryNeed): void;
  /** Finds when an account's next state expires, in milliseconds since the epoch. */
  findExpiry(account: MemoryAccount): number | undefined;
}

/** Seconds within which most requests finish. */
const SOON_SECONDS = 5;

/** The longest `Retry-After`, in seconds. */
const LONGEST_SECONDS = 3600;

/** The maximum number of accounts without holds that are retained. */
const MOST_RESTING = 100;

/** A request larger than this fraction evicts nothing, because it would have to evict too much. */
const SMALL_SHARE = 256;

/** All servers of a process share its heap, so the largest of their limits applies to all of them together. */
const PROCESS = new MemoryAccount(0);

/**
 * Limits the memory of all state that clients cause: per process, per caller, and for anonymous callers together. State
 * that does not fit is rejected unless something less needed can be evicted.
 */
export class MemoryBudget implements OnApplicationShutdown {
  readonly #settings: ServerSettings['memory'];
  readonly #all: MemoryAccount;
  readonly #anonymous: MemoryAccount;
  readonly #byIdentity = new Map<string, MemoryAccount>();
  readonly #byAddress = new Map<string, MemoryAccount>();
  /** Accounts without holds, retained because a caller without a session creates one for each call. */
  readonly #resting = new Set<MemoryAccount>();
  readonly #evictors: MemoryEvictor[] = [];

  constructor({ memory }: Pick<ServerSettings, 'memory'>) {
    this.#settings = memory;
    PROCESS.limit = Math.max(PROCESS.limit, memory.maxBytes);
    this.#all = new MemoryAccount(memory.maxBytes, PROCESS);
    this.#anonymous = new MemoryAccount(memory.maxAnonymousBytes, this.#all);
  }

  /** Counted bytes. */
  get used(): number {
    return this.#all.used;
  }

  /** The number of callers with counted memory. */
  get callers(): number {
    const known = this.#byIdentity.size + this.#byAddress.size;
    return known - [...this.#resting].filter(({ holds }) => holds === 0).length;
  }

  onApplicationShutdown(): void {
    this.#all.detach();
  }

  /** Adds an evictor. Evictors run in the order in which they were added. */
  addEvictor(evictor: MemoryEvictor): void {
    this.#evictors.push(evictor);
  }

  /**
   * Counts memory for a caller.
   *
   * @param isPassing whether it is released with the response to a request
   * @param excluded the hold that the request belongs to, which is not evicted for it
   * @throws {MemoryLimitError} if it does not fit
   */
  hold(
    owner: MemoryCaller,
    bytes: number,
    isPassing = false,
    excluded?: MemoryReservation,
  ): MemoryReservation {
    return MemoryReservation.take(this, owner, { bytes, use: isPassing ? 'passing' : 'kept', excluded });
  }

  /**
   * Counts memory for a caller's long-lived state.
   *
   * @param excluded the hold that the state belongs to, which is not evicted for it
   * @throws {MemoryLimitError} if it does not fit, or long-lived state has reached its limit
   */
  holdLongLived(owner: MemoryCaller, bytes: number, excluded?: MemoryReservation): MemoryReservation {
    return MemoryReservation.take(this, owner, { bytes, use: 'lasting', excluded });
  }

  findAccount({ identity, address }: MemoryCaller): MemoryAccount {
    if (identity !== undefined) {
      const name = nameAccount(identity);
      return this.#byIdentity.get(name) ?? this.#addIdentity(name);
    }
    if (address !== undefined) return this.#byAddress.get(address) ?? this.#addAddress(address);
    return this.#anonymous;
  }

  /** Finds the account of an authenticated caller. */
  findKnown(identity: string): MemoryAccount | undefined {
    return this.#byIdentity.get(nameAccount(identity));
  }

  forget(account: MemoryAccount): void {
    if (account.holds > 0 || account === this.#anonymous) return;
    this.#resting.add(account);
    if (this.#resting.size <= MOST_RESTING) return;
    const [oldest] = this.#resting;
    if (oldest !== undefined) this.#drop(oldest);
  }

  hasRoom(account: MemoryAccount, bytes: number, own: number): boolean {
    const full = account.findFull(bytes, own);
    if (full === undefined) return true;
    full.reclaim(bytes, own);
    return account.findFull(bytes, own) === undefined;
  }

  evictFor(need: MemoryNeed): void {
    const { account, bytes, own, grown, mayEndOthers } = need;
    for (let full = account.findFull(bytes, own); full !== undefined; full = account.findFull(bytes, own)) {
      full.reclaim(bytes, own);
      const isSmall = bytes <= full.limit / SMALL_SHARE;
      if (mayEndOthers && isSmall) this.#ask(full, need);
      if (!full.hasRoomFor(bytes, own)) throw this.createLimitError(full, bytes, grown);
    }
  }

  assertLongLivedFits(account: MemoryAccount, bytes: number, own: number): void {
    const crowded = account.findCrowded(bytes, own);
    if (crowded !== undefined) throw new MemoryLimitError(SOON_SECONDS, this.#findScope(crowded));
  }

  createLimitError(full: MemoryAccount, bytes: number, grown = 0): Error {
    if (grown + bytes > full.limit) return new MemoryLimitError();
    const scope = this.#findScope(full);
    if (full.isFreeSoon(bytes)) return new MemoryLimitError(SOON_SECONDS, scope);
    const ends = this.#evictors.map((evictor) => evictor.findExpiry(full) ?? Number.POSITIVE_INFINITY);
    const seconds = Math.ceil((Math.min(...ends) - Date.now()) / 1000);
    return new MemoryLimitError(Math.min(Math.max(seconds, SOON_SECONDS), LONGEST_SECONDS), scope);
  }

  /** If addresses are unknown, a single anonymous caller can use up the whole anonymous limit. */
  #findScope(full: MemoryAccount): MemoryLimitScope {
    return full === this.#all || full === PROCESS ? 'process' : 'caller';
  }

  #addIdentity(identity: string): MemoryAccount {
    const account = new MemoryAccount(this.#settings.maxBytesPerCaller, this.#all, { identity });
    this.#byIdentity.set(identity, account);
    return account;
  }

  #addAddress(address: string): MemoryAccount {
    const account = new MemoryAccount(this.#settings.maxBytesPerAddress, this.#anonymous, { address });
    this.#byAddress.set(address, account);
    return account;
  }

  #drop(account: MemoryAccount): void {
    this.#resting.delete(account);
    if (account.holds > 0) return;
    const { identity, address } = account.owner;
    if (identity !== undefined) this.#byIdentity.delete(identity);
    else if (address !== undefined) this.#byAddress.delete(address);
  }

  #ask(full: MemoryAccount, need: MemoryNeed): void {
    for (const evictor of this.#evictors) if (!full.hasRoomFor(need.bytes)) evictor.evict?.(full, need);
  }
}

/**
 * Estimates the memory that a message's requests use while they run, excluding its content. A batch never exceeds its
 * limit.
 */
export function estimateRequests(message: unknown, batchSize: number): number {
  if (!Array.isArray(message)) return HeapCost.request;
  return HeapCost.request + Math.min(message.length, batchSize) * HeapCost.batched;
}
