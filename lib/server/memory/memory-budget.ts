import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { SERVER_SETTINGS } from '../settings/mcp.constants.js';
import type { ServerSettings } from '../settings/server-settings.js';
import { MemoryAccount } from './memory-account.js';
import { MemoryHold, type MemoryNeed, type MemoryRoom } from './memory-hold.js';
import { MemoryLimitError } from './memory-limit.error.js';
import type { MemoryOwner } from './memory-owner.interface.js';

/** Keeps something that can be given up for others, or that ends by itself. */
export interface MemoryKeeper {
  /**
   * Gives up what is needed least of what an account has, until there is room in it or nothing is left.
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

/** What is larger than such a share ends nothing of others: many would have to go for it. */
const SMALL_SHARE = 256;

/** All servers of a process share its heap: together they have as much as the one that may have most. */
const PROCESS = new MemoryAccount(0);

/**
 * Bounds the memory of everything that clients make the server keep: for the process, for a caller, and for all who bring
 * no token. What there is no room for is refused, unless something is needed less.
 */
@Injectable()
export class MemoryBudget implements MemoryRoom, OnApplicationShutdown {
  readonly #settings: ServerSettings['memory'];
  readonly #all: MemoryAccount;
  readonly #strangers: MemoryAccount;
  readonly #byIdentity = new Map<string, MemoryAccount>();
  readonly #byAddress = new Map<string, MemoryAccount>();
  readonly #keepers: MemoryKeeper[] = [];

  constructor(@Inject(SERVER_SETTINGS) { memory }: Pick<ServerSettings, 'memory'>) {
    this.#settings = memory;
    PROCESS.limit = Math.max(PROCESS.limit, memory.maximumBytes);
    this.#all = new MemoryAccount(memory.maximumBytes, PROCESS);
    this.#strangers = new MemoryAccount(memory.maximumBytesOfStrangers, this.#all);
  }

  /** Bytes that are taken. */
  get used(): number {
    return this.#all.used;
  }

  /** How many callers have something kept. */
  get callers(): number {
    return this.#byIdentity.size + this.#byAddress.size;
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
   * @throws {MemoryLimitError} where there is no room
   */
  hold(owner: MemoryOwner, bytes: number, isPassing = false, kept?: MemoryHold): MemoryHold {
    return MemoryHold.take(this, owner, bytes, isPassing, kept);
  }

  findAccount({ identity, address }: MemoryOwner): MemoryAccount {
    const { maximumBytesPerIdentity, maximumBytesPerAddress } = this.#settings;
    if (identity !== undefined) {
      return getOrAdd(
        this.#byIdentity,
        identity,
        () => new MemoryAccount(maximumBytesPerIdentity, this.#all, { identity }),
      );
    }
    if (address === undefined) return this.#strangers;
    return getOrAdd(
      this.#byAddress,
      address,
      () => new MemoryAccount(maximumBytesPerAddress, this.#strangers, { address }),
    );
  }

  /** Finds what counts for a caller with a token who has something kept. */
  findKnown(identity: string): MemoryAccount | undefined {
    return this.#byIdentity.get(identity);
  }

  forget({ holds, owner: { identity, address } }: MemoryAccount): void {
    if (holds > 0) return;
    if (identity !== undefined) this.#byIdentity.delete(identity);
    else if (address !== undefined) this.#byAddress.delete(address);
  }

  findRoom(account: MemoryAccount, bytes: number, own: number): boolean {
    const full = account.findFull(bytes, own);
    if (full === undefined) return true;
    full.giveUpSpares(bytes, own);
    return account.findFull(bytes, own) === undefined;
  }

  makeRoom(need: MemoryNeed): void {
    const { account, bytes, own, mayEndOthers } = need;
    for (let full = account.findFull(bytes, own); full !== undefined; full = account.findFull(bytes, own)) {
      full.giveUpSpares(bytes, own);
      const isSmall = bytes <= full.limit / SMALL_SHARE;
      if (mayEndOthers && isSmall) this.#ask(full, need);
      if (!full.hasRoomFor(bytes, own)) throw this.refuse(full, bytes, own);
    }
  }

  refuse(full: MemoryAccount, bytes: number, own = 0): Error {
    if (own + bytes > full.limit) return new MemoryLimitError();
    if (full.isFreeSoon(bytes, own)) return new MemoryLimitError(SOON_SECONDS);
    const ends = this.#keepers.map((keeper) => keeper.findEnd(full) ?? Number.POSITIVE_INFINITY);
    const seconds = Math.ceil((Math.min(...ends) - Date.now()) / 1000);
    return new MemoryLimitError(Math.min(Math.max(seconds, SOON_SECONDS), LONGEST_SECONDS));
  }

  #ask(full: MemoryAccount, need: MemoryNeed): void {
    for (const keeper of this.#keepers) if (!full.hasRoomFor(need.bytes)) keeper.giveUp?.(full, need);
  }
}

function getOrAdd(
  accounts: Map<string, MemoryAccount>,
  name: string,
  create: () => MemoryAccount,
): MemoryAccount {
  const known = accounts.get(name);
  if (known !== undefined) return known;
  const account = create();
  accounts.set(name, account);
  return account;
}
