import { MemoryLimitError } from './memory-limit.error.js';
import type { MemoryOwner } from './memory-owner.interface.js';
import { McpError } from '../../core/protocol/mcp.error.js';
import { HeapCost } from './heap-costs.js';

/** Something that can do without some of its memory. */
export interface Spare {
  /** Gives up what it can do without, and withdraws its offer. */
  giveUp(): void;
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
  #spares: Set<Spare> | undefined;
  #parent: MemoryAccount | undefined;

  constructor(
    public limit: number,
    parent?: MemoryAccount,
    /** Absent if it is several callers'. */
    readonly owner: MemoryOwner = {},
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
  isLargerThan(bytes: number): boolean {
    return bytes <= this.limit && this.#parent?.isLargerThan(bytes) !== false;
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
  take(bytes: number, use: MemoryUse): void {
    this.#used += bytes;
    if (use === 'passing') this.#passing += bytes;
    if (use === 'lasting') this.#lasting += bytes;
    this.#parent?.take(bytes, use);
  }

  /** Notes that something can do without some of what it takes. */
  addSpare(spare: Spare): void {
    this.#spares ??= new Set();
    this.#spares.add(spare);
    this.#parent?.addSpare(spare);
  }

  removeSpare(spare: Spare): void {
    this.#spares?.delete(spare);
    this.#parent?.removeSpare(spare);
  }

  /** Gives up what can be done without, the oldest first, until there is room. */
  giveUpSpares(bytes: number, own = 0): void {
    for (const spare of this.#spares ?? []) {
      if (this.hasRoomFor(bytes, own)) return;
      spare.giveUp();
    }
  }

  /** Counts for nobody else any more. */
  detach(): void {
    for (const spare of this.#spares ?? []) this.#parent?.removeSpare(spare);
    this.#parent?.take(-this.#passing, 'passing');
    this.#parent?.take(-this.#lasting, 'lasting');
    this.#parent?.take(this.#passing + this.#lasting - this.#used, 'kept');
    this.#parent = undefined;
  }
}

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

/** In characters of JSON. */
const LONGEST_CONCISE = 65_536;

/**
 * Refuses a long value that would be kept as long as a session or a stream lasts. Many of them would fill the memory.
 *
 * @param named what the caller calls it, with its quotes
 * @param whole the size of the whole request. A small request cannot contain a long value, and is not checked
 * @throws {McpError} -32602 if it is too long, or too deep to tell
 */
export function assertConcise(kept: object, named: string, whole?: Pick<MemoryHold, 'bytes'>): void {
  if (whole !== undefined && whole.bytes < HeapCost.request + LONGEST_CONCISE) return;
  if (format(kept, named).length <= LONGEST_CONCISE) return;
  throw McpError.invalidParams(`${named} may have ${LONGEST_CONCISE} characters of JSON at most`);
}

function format(kept: object, named: string): string {
  try {
    return JSON.stringify(kept);
  } catch {
    throw McpError.invalidParams(`${named} may not be nested too deeply`);
  }
}
