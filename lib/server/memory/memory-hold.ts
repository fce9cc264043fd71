import type { MemoryAccount, Spare } from './memory-account.js';
import type { MemoryOwner } from './memory-owner.interface.js';

/** What there is no room for at once. */
export interface MemoryNeed {
  /** Who needs it. */
  readonly account: MemoryAccount;
  readonly bytes: number;
  /** What the same request has already. */
  readonly own: number;
  /** Whether more may be given up for it than what was delivered already. */
  readonly mayEndOthers: boolean;
  /** What the request is for: that is not given up. @default nothing */
  readonly kept?: MemoryHold | undefined;
}

/** Knows what is left for whom. */
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
   * @throws {MemoryLimitError} where that is not enough
   */
  makeRoom(need: MemoryNeed): void;
  /** Gives the error for what has no room in an account. */
  refuse(full: MemoryAccount, bytes: number): Error;
}

/** Memory that something takes until it is released; afterwards nothing is counted for it any more. */
export class MemoryHold {
  #account: MemoryAccount;
  #bytes = 0;
  #spare: Spare | undefined;
  #isReleased = false;

  private constructor(
    private readonly room: MemoryRoom,
    account: MemoryAccount,
    /** Whether it ends with the answer to a request. */
    private readonly isPassing: boolean,
  ) {
    this.#account = account;
    account.holds += 1;
  }

  /**
   * Takes memory for a caller.
   *
   * @param isPassing whether it ends with the answer to a request
   * @param kept what the request is for, which is not given up for it
   * @throws {MemoryLimitError} where there is no room
   */
  static take(
    room: MemoryRoom,
    owner: MemoryOwner,
    bytes: number,
    isPassing: boolean,
    kept?: MemoryHold,
  ): MemoryHold {
    const hold = new MemoryHold(room, room.findAccount(owner), isPassing);
    try {
      hold.add(bytes, kept);
      return hold;
    } catch (error) {
      hold.release();
      throw error;
    }
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** What it counts for. */
  get account(): MemoryAccount {
    return this.#account;
  }

  /**
   * Takes more, or gives some of it back.
   *
   * @throws {MemoryLimitError} where there is no room
   */
  add(bytes: number, kept?: MemoryHold): void {
    if (this.#isReleased) return;
    const account = this.#account;
    const own = this.isPassing ? this.#bytes : 0;
    if (bytes > 0 && account.findFull(bytes, own) !== undefined) {
      this.room.makeRoom({ account, bytes, own, mayEndOthers: own === 0, kept });
    }
    this.#take(bytes);
  }

  /** Takes more if nothing that somebody may still want has to go for it; tells whether it did. */
  tryAdd(bytes: number): boolean {
    const own = this.isPassing ? this.#bytes : 0;
    if (this.#isReleased || !this.room.findRoom(this.#account, bytes, own)) return false;
    this.#take(bytes);
    return true;
  }

  /** Counts so much from now on, room or not: it is there already. */
  resize(bytes: number): void {
    if (!this.#isReleased) this.#take(bytes - this.#bytes);
  }

  /** Passes all of it on to something that outlives the request. */
  passOn(): MemoryHold {
    const hold = new MemoryHold(this.room, this.#account, false);
    const bytes = this.#bytes;
    this.#take(-bytes);
    hold.#take(bytes);
    return hold;
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
   * Gives it to a caller who is known from now on.
   *
   * @param leaving what that one gives up for it
   * @throws {MemoryLimitError} where that one has no room; nothing has changed then
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

  /** Gives all of it back. */
  release(): void {
    if (this.#isReleased) return;
    this.withdraw();
    this.#take(-this.#bytes);
    this.#isReleased = true;
    this.#leave();
  }

  #move(account: MemoryAccount): void {
    const bytes = this.#bytes;
    const spare = this.#spare;
    this.withdraw();
    this.#take(-bytes);
    // Known from here on: whoever has nothing kept may be forgotten.
    account.holds += 1;
    this.#leave();
    this.#account = account;
    this.#take(bytes);
    if (spare !== undefined) this.offer(spare);
  }

  #leave(): void {
    this.#account.holds -= 1;
    this.room.forget(this.#account);
  }

  #take(bytes: number): void {
    this.#bytes += bytes;
    this.#account.take(bytes, this.isPassing);
  }
}
