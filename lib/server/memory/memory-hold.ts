import type { MemoryAccount, MemoryUse, Spare } from './memory-account.js';
import type { MemoryOwner } from './memory-owner.interface.js';

/** Knows what is left for whom. */
export interface MemoryRoom {
  /** Finds what counts for a caller. */
  findAccount(owner: MemoryOwner): MemoryAccount;
  /** Forgets a caller who has nothing kept. */
  forget(account: MemoryAccount): void;
  /** Tells whether there is room, once everything is given up that was delivered already. */
  findRoom(account: MemoryAccount, bytes: number): boolean;
  /**
   * Makes room by giving up what is needed least.
   *
   * @param mayEndOthers whether that may be more than what was delivered already
   * @throws {MemoryLimitError} where that is not enough
   */
  makeRoom(account: MemoryAccount, bytes: number, mayEndOthers: boolean): void;
  /**
   * Passes where something may last beside what does.
   *
   * @param own bytes that it takes already
   * @throws {MemoryLimitError} where it may not
   */
  assertMayLast(account: MemoryAccount, bytes: number, own: number): void;
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
   * @throws {MemoryLimitError} where there is no room
   */
  static take(room: MemoryRoom, owner: MemoryOwner, bytes: number, use: MemoryUse): MemoryHold {
    const hold = new MemoryHold(room, room.findAccount(owner), use);
    try {
      hold.add(bytes);
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

  /** What it counts for. */
  get account(): MemoryAccount {
    return this.#account;
  }

  /**
   * Takes more, or gives some of it back.
   *
   * @throws {MemoryLimitError} where there is no room
   */
  add(bytes: number): void {
    if (this.#isReleased) return;
    if (bytes > 0) this.#makeRoom(bytes);
    this.#take(bytes);
  }

  /** Takes more if nothing that somebody may still want has to go for it; tells whether it did. */
  tryAdd(bytes: number): boolean {
    if (this.#isReleased || !this.room.findRoom(this.#account, bytes)) return false;
    this.#take(bytes);
    return true;
  }

  /**
   * Passes all of it on to something that outlives the request. There may be several, as a batch can create several tasks: nobody
   * knows what each of them keeps of it, so that it is taken until the request and all of them are over.
   *
   * @throws {MemoryLimitError} where too much lasts already
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

  /** Gives it to a caller who is known from now on, where that one has room for it; tells whether it did. */
  moveTo(identity: string): boolean {
    const account = this.room.findAccount({ identity });
    const bytes = this.#bytes;
    if (account.hasRoomFor(bytes)) this.#move(account, bytes);
    this.room.forget(account);
    return this.#account === account;
  }

  /** Gives all of it back; what is shared is given back by the last who has a part in it. */
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

  #move(account: MemoryAccount, bytes: number): void {
    const spare = this.#spare;
    this.withdraw();
    this.#take(-bytes);
    this.#leave();
    this.#account = account;
    account.holds += 1;
    this.#take(bytes);
    if (spare !== undefined) this.offer(spare);
  }

  #makeRoom(bytes: number): void {
    if (this.use === 'lasting') this.room.assertMayLast(this.#account, bytes, this.#bytes);
    this.room.makeRoom(this.#account, bytes, this.use === 'kept' || this.#bytes === 0);
  }

  #leave(): void {
    this.#account.holds -= 1;
    this.room.forget(this.#account);
  }

  #take(bytes: number): void {
    this.#bytes += bytes;
    this.#account.take(bytes, this.use);
  }
}
