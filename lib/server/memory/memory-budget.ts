import type { OnApplicationShutdown } from '@nestjs/common';
import type { ServerSettings } from '../settings/server-settings.js';
import { MemoryAccount, MemoryHold, type MemoryNeed, type MemoryRoom } from './memory-hold.js';
import { MemoryLimitError, type MemoryLimitScope } from './memory-limit.error.js';
import { nameAccount } from './name-account.js';
import type { MemoryOwner } from './memory-owner.interface.js';
import { HeapCost } from './heap-costs.js';

/** Keeps something that can be given up for others, or that ends by itself. */
export interface MemoryKeeper {
  /**
   * Ends the least needed parts of an account until it has room, or nothing is left.
   *
   * @param need who needs how much
   */
  giveUp?(account: MemoryAccount, need: MemoryNeed): void;
  /** Finds when the next of what an account has ends by itself, in milliseconds of the epoch. */
  findEnd(account: MemoryAccount): number | undefined;
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
export class MemoryBudget implements MemoryRoom, OnApplicationShutdown {
  readonly #settings: ServerSettings['memory'];
  readonly #all: MemoryAccount;
  readonly #strangers: MemoryAccount;
  readonly #byIdentity = new Map<string, MemoryAccount>();
  readonly #byAddress = new Map<string, MemoryAccount>();
  /** Callers who had something kept lately: a caller without a session comes back for each call. */
  readonly #resting = new Set<MemoryAccount>();
  readonly #keepers: MemoryKeeper[] = [];

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
  addKeeper(keeper: MemoryKeeper): void {
    this.#keepers.push(keeper);
  }

  /**
   * Takes memory for a caller.
   *
   * @param isPassing whether it ends with the answer to a request
   * @param kept what the request is for, which is not given up for it
   * @throws {MemoryLimitError} if there is no room
   */
  hold(owner: MemoryOwner, bytes: number, isPassing = false, kept?: MemoryHold): MemoryHold {
    return MemoryHold.take(this, owner, { bytes, use: isPassing ? 'passing' : 'kept', kept });
  }

  /**
   * Takes memory for something of a caller that may take long.
   *
   * @param kept what it is for, which is not given up for it
   * @throws {MemoryLimitError} if there is no room, or too much lasts already
   */
  holdLasting(owner: MemoryOwner, bytes: number, kept?: MemoryHold): MemoryHold {
    return MemoryHold.take(this, owner, { bytes, use: 'lasting', kept });
  }

  findAccount({ identity, address }: MemoryOwner): MemoryAccount {
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

  findRoom(account: MemoryAccount, bytes: number, own: number): boolean {
    const full = account.findFull(bytes, own);
    if (full === undefined) return true;
    full.giveUpSpares(bytes, own);
    return account.findFull(bytes, own) === undefined;
  }

  makeRoom(need: MemoryNeed): void {
    const { account, bytes, own, grown, mayEndOthers } = need;
    for (let full = account.findFull(bytes, own); full !== undefined; full = account.findFull(bytes, own)) {
      full.giveUpSpares(bytes, own);
      const isSmall = bytes <= full.limit / SMALL_SHARE;
      if (mayEndOthers && isSmall) this.#ask(full, need);
      if (!full.hasRoomFor(bytes, own)) throw this.refuse(full, bytes, grown);
    }
  }

  assertMayLast(account: MemoryAccount, bytes: number, own: number): void {
    const crowded = account.findCrowded(bytes, own);
    if (crowded !== undefined) throw new MemoryLimitError(SOON_SECONDS, this.#findScope(crowded));
  }

  refuse(full: MemoryAccount, bytes: number, grown = 0): Error {
    if (grown + bytes > full.limit) return new MemoryLimitError();
    const scope = this.#findScope(full);
    if (full.isFreeSoon(bytes)) return new MemoryLimitError(SOON_SECONDS, scope);
    const ends = this.#keepers.map((keeper) => keeper.findEnd(full) ?? Number.POSITIVE_INFINITY);
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
    for (const keeper of this.#keepers) if (!full.hasRoomFor(need.bytes)) keeper.giveUp?.(full, need);
  }
}

/** Returns the memory of the requests of a message while they run, in addition to its text. A batch never has more requests than its bound. */
export function estimateRequests(message: unknown, batchSize: number): number {
  if (!Array.isArray(message)) return HeapCost.request;
  return HeapCost.request + Math.min(message.length, batchSize) * HeapCost.batched;
}
