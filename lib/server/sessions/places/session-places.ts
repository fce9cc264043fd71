import { type MemoryCaller, nameAccount } from '../../memory/memory-account.js';
import type { ServerSettings } from '../../settings/server-settings.js';
import { SessionLimitError } from '../session-limit.error.js';
import type { PlaceHolder } from './place-holder.interface.js';

/**
 * Shares the places of a server out among callers. At each bound, the longest idle session makes room. A stranger, who
 * has no token, makes room for everybody, but with a session in use for callers with a token alone. The caller with the most
 * sessions makes room for other callers with a token. Nobody who brings a token makes room for a stranger.
 */
export class SessionPlaces {
  readonly #bounds: ServerSettings['sessions'];
  readonly #strangers = new Strangers();
  readonly #byAddress = new Map<string, Strangers>();
  readonly #byIdentity = new Map<string, IdleOrder>();
  #known = 0;

  constructor({ sessions }: ServerSettings) {
    this.#bounds = sessions;
  }

  /**
   * Gives a place to a holder until it is {@link release}d.
   *
   * @throws {SessionLimitError} if there is none, and nobody is idle who would make room
   */
  take(holder: PlaceHolder): void {
    if (!this.#makeRoom(holder)) throw new SessionLimitError();
    this.#add(holder);
  }

  /**
   * Makes a stranger's place that of a caller.
   *
   * @param bind gives the place to the caller. If another session of the caller must end for this, it has ended by
   *   then. If it throws, nothing has changed
   * @throws {SessionLimitError} if the caller has as many as may be, and none is idle; nothing has changed then
   */
  pass(holder: PlaceHolder, identity: string, bind: (leaving: PlaceHolder | undefined) => void): void {
    const own = this.#findOwn(identity);
    const isFull = own !== undefined && own.size >= this.#bounds.maxSessionsPerCaller;
    const leaving = isFull ? own.find(isIdle) : undefined;
    if (isFull && leaving === undefined) throw new SessionLimitError();
    bind(leaving);
    leaving?.giveUp();
    if (this.#releaseStranger(holder)) this.#add(holder);
  }

  /** Notes that a holder is used: others are idle for longer from now on. */
  use(holder: PlaceHolder): void {
    holder.use();
    this.renew(holder);
  }

  /** Puts a holder where it belongs, since it is used, or its client has confirmed the handshake. */
  renew(holder: PlaceHolder): void {
    const { identity, address } = holder;
    if (identity !== undefined) return this.#findOwn(identity)?.renew(holder);
    this.#strangers.renew(holder);
    if (address !== undefined) this.#byAddress.get(address)?.renew(holder);
  }

  /** Takes a place back, and tells whether the holder had one. */
  release(holder: PlaceHolder): boolean {
    const { identity } = holder;
    if (identity === undefined) return this.#releaseStranger(holder);
    const isHeld = removeFrom(this.#byIdentity, nameAccount(identity), holder);
    if (isHeld) this.#known -= 1;
    return isHeld;
  }

  /**
   * Yields the idle sessions of a caller, or of all callers without a token, in the order in which they make room.
   *
   * @param mayEndUsed whether sessions of strangers make room that are in use
   */
  selectIdle({ identity, address }: MemoryCaller, mayEndUsed = false): Iterable<PlaceHolder> {
    if (identity !== undefined) return this.#findOwn(identity)?.select(isIdle) ?? [];
    if (address !== undefined) return this.#byAddress.get(address)?.select(mayEndUsed) ?? [];
    return this.#strangers.select(mayEndUsed);
  }

  /** Yields the sessions of a caller with a token that make room for others, idle ones first. */
  *selectLeaving(identity: string): Generator<PlaceHolder, undefined> {
    const own = this.#findOwn(identity);
    if (own === undefined) return;
    yield* own.select(isIdle);
    yield* own.select(isNotRunning);
  }

  /** Returns the callers with a token who have places. */
  identities(): Iterable<string> {
    return this.#byIdentity.keys();
  }

  #findOwn(identity: string): IdleOrder | undefined {
    return this.#byIdentity.get(nameAccount(identity));
  }

  #makeRoom({ identity, address }: PlaceHolder): boolean {
    if (identity !== undefined) return this.#makeOwnRoom(identity) && this.#makeRoomAmongAll();
    if (address !== undefined && !this.#makeRoomAt(address)) return false;
    const { maxSessions, maxAnonymousSessions } = this.#bounds;
    const hasRoom = this.#strangers.size < maxAnonymousSessions && this.size < maxSessions;
    return hasRoom || giveUp(this.#strangers.find());
  }

  /** A caller who brings a token has what it reads left: it may well be there still. */
  #makeOwnRoom(identity: string): boolean {
    const own = this.#findOwn(identity);
    if (own === undefined || own.size < this.#bounds.maxSessionsPerCaller) return true;
    return giveUp(own.find(isIdle));
  }

  #makeRoomAt(address: string): boolean {
    const near = this.#byAddress.get(address);
    if (near === undefined || near.size < this.#bounds.maxSessionsPerAddress) return true;
    return giveUp(near.find());
  }

  #makeRoomAmongAll(): boolean {
    if (this.size < this.#bounds.maxSessions) return true;
    return giveUp(this.#strangers.find(true) ?? this.#findOver() ?? this.#findOfMost());
  }

  /** What is over may keep its place for a while, until it is noticed. */
  #findOver(): PlaceHolder | undefined {
    for (const own of this.#byIdentity.values()) {
      const holder = own.find(({ isOver }) => isOver);
      if (holder !== undefined) return holder;
    }
    return undefined;
  }

  /** A caller with only one place keeps it. */
  #findOfMost(): PlaceHolder | undefined {
    let most: IdleOrder | undefined;
    for (const own of this.#byIdentity.values()) if (own.size > (most?.size ?? 1)) most = own;
    return most?.find(isIdle) ?? most?.find(isNotRunning);
  }

  /** Places that are taken. */
  get size(): number {
    return this.#known + this.#strangers.size;
  }

  #add(holder: PlaceHolder): void {
    const { identity, address } = holder;
    if (identity !== undefined) {
      this.#known += 1;
      return getOrAdd(this.#byIdentity, nameAccount(identity), IdleOrder).add(holder);
    }
    this.#strangers.add(holder);
    if (address !== undefined) getOrAdd(this.#byAddress, address, Strangers).add(holder);
  }

  /** Frees a stranger's place, even if the session has an owner now. */
  #releaseStranger(holder: PlaceHolder): boolean {
    const { address } = holder;
    if (address !== undefined) removeFrom(this.#byAddress, address, holder);
    return this.#strangers.remove(holder);
  }
}

/** The holders of places, in the order in which they make room. */
type Order = IdleOrder | Strangers;

function isIdle({ isRunning, isRead }: PlaceHolder): boolean {
  return !isRunning && !isRead;
}

function giveUp(holder: PlaceHolder | undefined): boolean {
  holder?.giveUp();
  return holder !== undefined;
}

function getOrAdd<Kind extends Order>(orders: Map<string, Kind>, name: string, kind: new () => Kind): Kind {
  const order = orders.get(name) ?? new kind();
  orders.set(name, order);
  return order;
}

function removeFrom(orders: Map<string, Order>, name: string, holder: PlaceHolder): boolean {
  const order = orders.get(name);
  if (order?.remove(holder) !== true) return false;
  if (order.size === 0) orders.delete(name);
  return true;
}

/** Holders of places, the longest idle first. */
export class IdleOrder {
  /** There is none before the first holder: there may be as many orders as addresses. */
  #holders: Set<PlaceHolder> | undefined;

  get size(): number {
    return this.#holders?.size ?? 0;
  }

  add(holder: PlaceHolder): void {
    this.#holders ??= new Set();
    this.#holders.add(holder);
  }

  /** Takes a holder out, and tells whether it was there. */
  remove(holder: PlaceHolder): boolean {
    return this.#holders?.delete(holder) === true;
  }

  /** Puts a holder that is used behind all others. */
  renew(holder: PlaceHolder): void {
    if (this.remove(holder)) this.add(holder);
  }

  /** Gives those that may be given up, the longest idle first. */
  *select(mayGo: (holder: PlaceHolder) => boolean): Generator<PlaceHolder, undefined> {
    for (const holder of this.#holders ?? []) if (mayGo(holder)) yield holder;
  }

  /** Finds the longest idle that may be given up. */
  find(mayGo: (holder: PlaceHolder) => boolean): PlaceHolder | undefined {
    return this.select(mayGo).next().value;
  }
}

/** For so long after its handshake a client may be on its way with its first request. */
const FIRST_REQUEST_MS = 1000;

/** Newcomers may have one of so many parts before they make room themselves, rather than idle sessions. */
const NEWCOMERS_SHARE = 4;

/**
 * The sessions of callers without a token. Those whose clients have not confirmed the handshake make room first, then those that
 * were never used, then the longest idle. A session in use makes no room for a stranger: otherwise a flood of handshakes would
 * end it.
 */
export class Strangers {
  readonly #unconfirmed = new IdleOrder();
  readonly #unused = new IdleOrder();
  readonly #used = new IdleOrder();

  get size(): number {
    return this.#newcomers + this.#used.size;
  }

  add(holder: PlaceHolder): void {
    this.#selectOrder(holder).add(holder);
  }

  remove(holder: PlaceHolder): boolean {
    return this.#unconfirmed.remove(holder) || this.#unused.remove(holder) || this.#used.remove(holder);
  }

  /** Puts a holder that is used, or confirmed, behind the others that have come as far. */
  renew(holder: PlaceHolder): void {
    if (this.remove(holder)) this.add(holder);
  }

  /**
   * Yields the sessions that make room for others, in their order. A recent handshake makes no room before an idle session
   * unless there are many of them: it would never come to its first request.
   *
   * @param mayEndUsed whether those in use make room too, after all others
   */
  *select(mayEndUsed = false): Generator<PlaceHolder, undefined> {
    const settled = performance.now() - FIRST_REQUEST_MS;
    const isDue = (newcomer: PlaceHolder | undefined, count: number): boolean =>
      newcomer !== undefined && (newcomer.usedAt <= settled || count > this.size / NEWCOMERS_SHARE);
    const unconfirmed = new Candidates(this.#unconfirmed.select(isNotRunning));
    const unused = new Candidates(this.#unused.select(isNotRunning));
    const idle = new Candidates(this.#used.select((holder) => isNotRunning(holder) && !holder.isInUse));
    for (;;) {
      const due = [
        ...(isDue(unconfirmed.first, this.#unconfirmed.size) ? [unconfirmed] : []),
        ...(isDue(unused.first, this.#newcomers) ? [unused] : []),
      ];
      const leaving = [...due, idle, unconfirmed, unused].find(({ first }) => first !== undefined)?.take();
      if (leaving === undefined) break;
      yield leaving;
    }
    if (mayEndUsed) yield* this.#used.select(isNotRunning);
  }

  /** Finds who makes room for another. */
  find(mayEndUsed = false): PlaceHolder | undefined {
    return this.select(mayEndUsed).next().value;
  }

  get #newcomers(): number {
    return this.#unconfirmed.size + this.#unused.size;
  }

  #selectOrder({ isUsed, isLive }: PlaceHolder): IdleOrder {
    if (isUsed) return this.#used;
    return isLive ? this.#unused : this.#unconfirmed;
  }
}

/** Those of one kind that may make room, in their order. */
class Candidates {
  #next: IteratorResult<PlaceHolder, undefined>;

  constructor(private readonly holders: Iterator<PlaceHolder, undefined>) {
    this.#next = holders.next();
  }

  get first(): PlaceHolder | undefined {
    return this.#next.value;
  }

  take(): PlaceHolder | undefined {
    const { value } = this.#next;
    this.#next = this.holders.next();
    return value;
  }
}

/** A stranger's stream does not keep its place: it costs its client nothing. */
export function isNotRunning({ isRunning }: PlaceHolder): boolean {
  return !isRunning;
}
