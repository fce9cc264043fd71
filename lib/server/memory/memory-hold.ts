import type { MemoryAccount, MemoryUse, Spare } from './memory-account.js';
import { MemoryLimitError } from './memory-limit.error.js';
import type { MemoryOwner } from './memory-owner.interface.js';

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

/** Knows the free memory of each account. */
export interface MemoryRoom {
  /** Finds what counts for a caller. */
  findAccount(owner: MemoryOwner): MemoryAccount;
  /** Forgets a caller who has nothing kept. */
  forget(account: MemoryAccount): void;
  /** Tells whether there is room, once everything is given up that was delivered already. */
  findRoom(account: MemoryAccount, bytes: number, own: number): boolean;
  /**
   * Makes room by giving up what is needed least.
   *
   * @throws {MemoryLimitError} if that is not enough
   */
  makeRoom(need: MemoryNeed): void;
  /**
   * Passes if something may last beside what does.
   *
   * @param own bytes that it takes already
   * @throws {MemoryLimitError} if it may not
   */
  assertMayLast(account: MemoryAccount, bytes: number, own: number): void;
  /** Returns the error for what has no room in an account. */
  refuse(full: MemoryAccount, bytes: number): Error;
}

/** Memory that something takes until it is released; afterwards nothing is counted for it any more. */
export class MemoryHold {
  #account: MemoryAccount;
  #bytes = 0;
  #spare: Spare | undefined;
  #isReleased = false;
  /** What was passed on and is shared by several: each has a part in it until that is released. */
  #shared: MemoryHold | undefined;
  /** How many have a part in this. */
  #sharers = 1;

  private constructor(
    private readonly room: MemoryRoom,
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
  static take(room: MemoryRoom, owner: MemoryOwner, { bytes, use, kept }: Taking): MemoryHold {
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
    if (!this.#account.isLargerThan(this.#bytes + bytes)) throw new MemoryLimitError();
  }

  /** Takes more if nothing that somebody may still want has to go for it; tells whether it did. */
  tryAdd(bytes: number): boolean {
    if (this.#isReleased || !Number.isFinite(bytes) || !this.room.findRoom(this.#account, bytes, this.#own))
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
  passOn(): MemoryHold {
    const bytes = this.#bytes;
    this.room.assertMayLast(this.#account, bytes, 0);
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
  offer(spare: Spare): void {
    if (this.#isReleased || this.#spare !== undefined) return;
    this.#spare = spare;
    this.#account.addSpare(spare);
  }

  /** Says that all of it is needed. */
  withdraw(): void {
    if (this.#spare !== undefined) this.#account.removeSpare(this.#spare);
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
      account.giveUpSpares(bytes);
      if (!account.hasRoomFor(bytes)) throw this.room.refuse(account, bytes);
      this.#move(account);
    } finally {
      this.room.forget(account);
    }
  }

  /** Releases all of it. A shared part is released by its last holder. */
  release(): void {
    if (this.#isReleased) return;
    this.withdraw();
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
    this.withdraw();
    this.#take(-bytes);
    // Known from here on. An account without memory may be forgotten.
    account.holds += 1;
    this.#leave();
    this.#account = account;
    this.#take(bytes);
    if (spare !== undefined) this.offer(spare);
  }

  /** What a request has already that asks for more. */
  get #own(): number {
    return this.use === 'passing' ? this.#bytes : 0;
  }

  #makeRoom(bytes: number, kept: MemoryHold | undefined): void {
    const account = this.#account;
    if (this.use === 'lasting') this.room.assertMayLast(account, bytes, this.#bytes);
    const own = this.#own;
    if (account.findFull(bytes, own) === undefined) return;
    const grown = this.use === 'kept' ? 0 : this.#bytes;
    this.room.makeRoom({ account, bytes, own, grown, mayEndOthers: grown === 0, kept });
  }

  #leave(): void {
    this.#account.holds -= 1;
    this.room.forget(this.#account);
  }

  /** An account that became NaN would have no room for anything ever again, in every server of the process. */
  #take(bytes: number): void {
    if (!Number.isFinite(bytes)) return;
    this.#bytes += bytes;
    this.#account.take(bytes, this.use);
  }
}
