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

/** What there is no room for at once. */
export interface MemoryNeed {
  /** Who needs it. */
  readonly account: MemoryAccount;
  readonly bytes: number;
  /** What the same request has already. */
  readonly own: number;
  /** What the same takes already that ends with it. */
  readonly grown: number;
  /** Whether more may be given up for it than what was delivered already. */
  readonly mayEndOthers: boolean;
  /** What the request is for: that is not given up. @default nothing */
  readonly kept?: MemoryHold | undefined;
}

/** How memory is taken. */
export interface Taking extends Pick<MemoryNeed, 'bytes' | 'kept'> {
  readonly use: MemoryUse;
}

/** Memory that something takes until it is released; afterwards nothing is counted for it any more. */
export class MemoryHold {
  #account: MemoryAccount;
  #bytes = 0;
  #spare: Reclaimable | undefined;
  #isReleased = false;
  /** What was passed on and is shared by several: each has a part in it until that is released. */
  #shared: MemoryHold | undefined;
  /** How many have a part in this. */
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
   * Takes memory for a caller.
   *
   * @throws {MemoryLimitError} if there is no room
   */
  static take(room: MemoryBudget, owner: MemoryCaller, { bytes, use, kept }: Taking): MemoryHold {
    const hold = new MemoryHold(room, room.findAccount(owner), use);
    try {
      hold.add(bytes, kept);
      return hold;
    } catch (error) {
      hold.release();
      throw error;
    }
  }

  /** Bytes that it takes, those among them that were passed on and are not released. */
  get bytes(): number {
    return this.#bytes + (this.#shared?.bytes ?? 0);
  }

  /** The account that it counts for. */
  get account(): MemoryAccount {
    return this.#account;
  }

  /**
   * Takes more, or gives some of it back.
   *
   * @throws {MemoryLimitError} if there is no room
   */
  add(bytes: number, kept?: MemoryHold): void {
    if (this.#isReleased) return;
    if (bytes > 0) this.#makeRoom(bytes, kept);
    this.#take(bytes);
  }

  /**
   * Passes if so much more can find room at some time.
   *
   * @throws {MemoryLimitError} if it never can
   */
  assertCanTake(bytes: number): void {
    if (!this.#account.canEverHold(this.#bytes + bytes)) throw new MemoryLimitError();
  }

  /** Takes more if nothing that somebody may still want has to go for it; tells whether it did. */
  tryAdd(bytes: number): boolean {
    if (this.#isReleased || !Number.isFinite(bytes) || !this.room.hasRoom(this.#account, bytes, this.#own))
      return false;
    this.#take(bytes);
    return true;
  }

  /** Counts so much from now on, room or not: it is there already. */
  resize(bytes: number): void {
    if (!this.#isReleased) this.#take(bytes - this.#bytes);
  }

  /**
   * Passes all of it on to something that outlives the request. There may be several, because a batch can create several
   * tasks. Nobody knows what each of them keeps of the request, so it counts until the request and all of them are over.
   *
   * @throws {MemoryLimitError} if too much lasts already
   */
  transfer(): MemoryHold {
    const bytes = this.#bytes;
    this.room.assertLongLivedFits(this.#account, bytes, 0);
    const heir = new MemoryHold(this.room, this.#account, 'lasting');
    this.#take(-bytes);
    if (this.#shared === undefined) {
      this.#shared = new MemoryHold(this.room, this.#account, 'lasting');
      this.#shared.#take(bytes);
    } else heir.#take(bytes);
    heir.#shared = this.#shared;
    this.#shared.#sharers += 1;
    return heir;
  }

  /** Says that some of it can be done without, until that is given up. */
  offerToReclaim(spare: Reclaimable): void {
    if (this.#isReleased || this.#spare !== undefined) return;
    this.#spare = spare;
    this.#account.addReclaimable(spare);
  }

  /** Says that all of it is needed. */
  withdrawOffer(): void {
    if (this.#spare !== undefined) this.#account.removeReclaimable(this.#spare);
    this.#spare = undefined;
  }

  /**
   * Moves it to a caller that is known from now on.
   *
   * @param leaving what the account gives up for it
   * @throws {MemoryLimitError} if that one has no room; nothing has changed then
   */
  moveTo(identity: string, leaving?: MemoryHold): void {
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

  /** Releases all of it. A shared part is released by its last holder. */
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
    const spare = this.#spare;
    this.withdrawOffer();
    this.#take(-bytes);
    // Known from here on. An account without memory may be forgotten.
    account.holds += 1;
    this.#leave();
    this.#account = account;
    this.#take(bytes);
    if (spare !== undefined) this.offerToReclaim(spare);
  }

  /** What a request has already that asks for more. */
  get #own(): number {
    return this.use === 'passing' ? this.#bytes : 0;
  }

  #makeRoom(bytes: number, kept: MemoryHold | undefined): void {
    const account = this.#account;
    if (this.use === 'lasting') this.room.assertLongLivedFits(account, bytes, this.#bytes);
    const own = this.#own;
    if (account.findFull(bytes, own) === undefined) return;
    const grown = this.use === 'kept' ? 0 : this.#bytes;
    this.room.evictFor({ account, bytes, own, grown, mayEndOthers: grown === 0, kept });
  }

  #leave(): void {
    this.#account.holds -= 1;
    this.room.forget(this.#account);
  }

  /** An account that became NaN would have no room for anything ever again, in every server of the process. */
  #take(bytes: number): void {
    if (!Number.isFinite(bytes)) return;
    this.#bytes += bytes;
    this.#account.count(bytes, this.use);
  }
}

/** Keeps something that can be given up for others, or that ends by itself. */
export interface MemoryEvictor {
  /**
   * Ends the least needed parts of an account until it has room, or nothing is left.
   *
   * @param need who needs how much
   */
  evict?(account: MemoryAccount, need: MemoryNeed): void;
  /** Finds when the next of what an account has ends by itself, in milliseconds of the epoch. */
  findExpiry(account: MemoryAccount): number | undefined;
}

/** Seconds within which most requests are answered. */
const SOON_SECONDS = 5;

/** Nobody comes back after a longer time. */
const LONGEST_SECONDS = 3600;

/** Callers who have nothing kept and are not forgotten yet. */
const MOST_RESTING = 100;

/** A request larger than this share ends nothing of others, because too many would have to end for it. */
const SMALL_SHARE = 256;

/** All servers of a process share its heap: together they have as much as the one that may have most. */
const PROCESS = new MemoryAccount(0);

/**
 * Bounds the memory of everything that clients make the server keep: for the process, for a caller, and for all who bring
 * no token. What there is no room for is refused, unless something is needed less.
 */
export class MemoryBudget implements OnApplicationShutdown {
  readonly #settings: ServerSettings['memory'];
  readonly #all: MemoryAccount;
  readonly #strangers: MemoryAccount;
  readonly #byIdentity = new Map<string, MemoryAccount>();
  readonly #byAddress = new Map<string, MemoryAccount>();
  /** Callers who had something kept lately: a caller without a session comes back for each call. */
  readonly #resting = new Set<MemoryAccount>();
  readonly #keepers: MemoryEvictor[] = [];

  constructor({ memory }: Pick<ServerSettings, 'memory'>) {
    this.#settings = memory;
    PROCESS.limit = Math.max(PROCESS.limit, memory.maxBytes);
    this.#all = new MemoryAccount(memory.maxBytes, PROCESS);
    this.#strangers = new MemoryAccount(memory.maxAnonymousBytes, this.#all);
  }

  /** Bytes that are taken. */
  get used(): number {
    return this.#all.used;
  }

  /** How many callers have something kept. */
  get callers(): number {
    const known = this.#byIdentity.size + this.#byAddress.size;
    return known - [...this.#resting].filter(({ holds }) => holds === 0).length;
  }

  onApplicationShutdown(): void {
    this.#all.detach();
  }

  /** Asks a keeper, after those that were added before, when there is no room. */
  addEvictor(keeper: MemoryEvictor): void {
    this.#keepers.push(keeper);
  }

  /**
   * Takes memory for a caller.
   *
   * @param isPassing whether it ends with the answer to a request
   * @param kept what the request is for, which is not given up for it
   * @throws {MemoryLimitError} if there is no room
   */
  hold(owner: MemoryCaller, bytes: number, isPassing = false, kept?: MemoryHold): MemoryHold {
    return MemoryHold.take(this, owner, { bytes, use: isPassing ? 'passing' : 'kept', kept });
  }

  /**
   * Takes memory for something of a caller that may take long.
   *
   * @param kept what it is for, which is not given up for it
   * @throws {MemoryLimitError} if there is no room, or too much lasts already
   */
  holdLongLived(owner: MemoryCaller, bytes: number, kept?: MemoryHold): MemoryHold {
    return MemoryHold.take(this, owner, { bytes, use: 'lasting', kept });
  }

  findAccount({ identity, address }: MemoryCaller): MemoryAccount {
    if (identity !== undefined) {
      const name = nameAccount(identity);
      return this.#byIdentity.get(name) ?? this.#addIdentity(name);
    }
    if (address !== undefined) return this.#byAddress.get(address) ?? this.#addAddress(address);
    return this.#strangers;
  }

  /** Finds what counts for a caller with a token who has something kept. */
  findKnown(identity: string): MemoryAccount | undefined {
    return this.#byIdentity.get(nameAccount(identity));
  }

  forget(account: MemoryAccount): void {
    if (account.holds > 0 || account === this.#strangers) return;
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
    const ends = this.#keepers.map((keeper) => keeper.findExpiry(full) ?? Number.POSITIVE_INFINITY);
    const seconds = Math.ceil((Math.min(...ends) - Date.now()) / 1000);
    return new MemoryLimitError(Math.min(Math.max(seconds, SOON_SECONDS), LONGEST_SECONDS), scope);
  }

  /** What all strangers may have, one alone can take where addresses are not known. */
  #findScope(full: MemoryAccount): MemoryLimitScope {
    return full === this.#all || full === PROCESS ? 'process' : 'caller';
  }

  #addIdentity(identity: string): MemoryAccount {
    const account = new MemoryAccount(this.#settings.maxBytesPerCaller, this.#all, { identity });
    this.#byIdentity.set(identity, account);
    return account;
  }

  #addAddress(address: string): MemoryAccount {
    const account = new MemoryAccount(this.#settings.maxBytesPerAddress, this.#strangers, { address });
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
    for (const keeper of this.#keepers) if (!full.hasRoomFor(need.bytes)) keeper.evict?.(full, need);
  }
}

/** Returns the memory of the requests of a message while they run, in addition to its text. A batch never has more requests than its bound. */
export function estimateRequests(message: unknown, batchSize: number): number {
  if (!Array.isArray(message)) return HeapCost.request;
  return HeapCost.request + Math.min(message.length, batchSize) * HeapCost.batched;
}
