import { type MemoryCaller, nameAccount } from '../../memory/memory-account.js';
import type { ServerSettings } from '../../settings/server-settings.js';
import { SessionLimitError } from '../session-limit.error.js';
import type { SlotHolder } from './slot-holder.interface.js';

/**
 * Shares the places of a server out among callers. At each bound, the longest idle session makes room. A stranger, who
 * has no token, makes room for everybody, but with a session in use for callers with a token alone. The caller with the most
 * sessions makes room for other callers with a token. Nobody who brings a token makes room for a stranger.
 */
export class SessionSlots {
  readonly #bounds: ServerSettings['sessions'];
  readonly #anonymous = new AnonymousSlots();
  readonly #byAddress = new Map<string, AnonymousSlots>();
  readonly #byIdentity = new Map<string, IdleQueue>();
  #known = 0;

  constructor({ sessions }: ServerSettings) {
    this.#bounds = sessions;
  }

  /**
   * Gives a place to a holder until it is {@link release}d.
   *
   * @throws {SessionLimitError} if there is none, and nobody is idle who would make room
   */
  take(holder: SlotHolder): void {
    if (!this.#evictFor(holder)) throw new SessionLimitError();
    this.#add(holder);
  }

  /**
   * Makes a stranger's place that of a caller.
   *
   * @param bind gives the place to the caller. If another session of the caller must end for this, it has ended by
   *   then. If it throws, nothing has changed
   * @throws {SessionLimitError} if the caller has as many as may be, and none is idle; nothing has changed then
   */
  transfer(holder: SlotHolder, identity: string, bind: (leaving: SlotHolder | undefined) => void): void {
    const own = this.#findOwn(identity);
    const isFull = own !== undefined && own.size >= this.#bounds.maxSessionsPerCaller;
    const leaving = isFull ? own.find(isIdle) : undefined;
    if (isFull && leaving === undefined) throw new SessionLimitError();
    bind(leaving);
    leaving?.evict();
    if (this.#releaseAnonymous(holder)) this.#add(holder);
  }

  /** Notes that a holder is used: others are idle for longer from now on. */
  use(holder: SlotHolder): void {
    holder.use();
    this.renew(holder);
  }

  /** Puts a holder where it belongs, since it is used, or its client has confirmed the handshake. */
  renew(holder: SlotHolder): void {
    const { identity, address } = holder;
    if (identity !== undefined) return this.#findOwn(identity)?.renew(holder);
    this.#anonymous.renew(holder);
    if (address !== undefined) this.#byAddress.get(address)?.renew(holder);
  }

  /** Takes a place back, and returns whether the holder had one. */
  release(holder: SlotHolder): boolean {
    const { identity } = holder;
    if (identity === undefined) return this.#releaseAnonymous(holder);
    const isHeld = removeFrom(this.#byIdentity, nameAccount(identity), holder);
    if (isHeld) this.#known -= 1;
    return isHeld;
  }

  /**
   * Yields the idle sessions of a caller, or of all callers without a token, in the order in which they make room.
   *
   * @param mayEndUsed whether sessions of strangers make room that are in use
   */
  selectIdle({ identity, address }: MemoryCaller, mayEndUsed = false): Iterable<SlotHolder> {
    if (identity !== undefined) return this.#findOwn(identity)?.select(isIdle) ?? [];
    if (address !== undefined) return this.#byAddress.get(address)?.select(mayEndUsed) ?? [];
    return this.#anonymous.select(mayEndUsed);
  }

  /** Yields the sessions of a caller with a token that make room for others, idle ones first. */
  *selectEvictable(identity: string): Generator<SlotHolder, undefined> {
    const own = this.#findOwn(identity);
    if (own === undefined) return;
    yield* own.select(isIdle);
    yield* own.select(isNotRunning);
  }

  /** Returns the callers with a token who have places. */
  identities(): Iterable<string> {
    return this.#byIdentity.keys();
  }

  #findOwn(identity: string): IdleQueue | undefined {
    return this.#byIdentity.get(nameAccount(identity));
  }

  #evictFor({ identity, address }: SlotHolder): boolean {
    if (identity !== undefined) return this.#evictOwn(identity) && this.#evictAny();
    if (address !== undefined && !this.#evictAt(address)) return false;
    const { maxSessions, maxAnonymousSessions } = this.#bounds;
    const hasRoom = this.#anonymous.size < maxAnonymousSessions && this.size < maxSessions;
    return hasRoom || evict(this.#anonymous.find());
  }

  /** A caller who brings a token has what it reads left: it may well be there still. */
  #evictOwn(identity: string): boolean {
    const own = this.#findOwn(identity);
    if (own === undefined || own.size < this.#bounds.maxSessionsPerCaller) return true;
    return evict(own.find(isIdle));
  }

  #evictAt(address: string): boolean {
    const near = this.#byAddress.get(address);
    if (near === undefined || near.size < this.#bounds.maxSessionsPerAddress) return true;
    return evict(near.find());
  }

  #evictAny(): boolean {
    if (this.size < this.#bounds.maxSessions) return true;
    return evict(this.#anonymous.find(true) ?? this.#findOver() ?? this.#findOfMost());
  }

  /** What is over may keep its place for a while, until it is noticed. */
  #findOver(): SlotHolder | undefined {
    for (const own of this.#byIdentity.values()) {
      const holder = own.find(({ isOver }) => isOver);
      if (holder !== undefined) return holder;
    }
    return undefined;
  }

  /** A caller with only one place keeps it. */
  #findOfMost(): SlotHolder | undefined {
    let most: IdleQueue | undefined;
    for (const own of this.#byIdentity.values()) if (own.size > (most?.size ?? 1)) most = own;
    return most?.find(isIdle) ?? most?.find(isNotRunning);
  }

  /** Places that are taken. */
  get size(): number {
    return this.#known + this.#anonymous.size;
  }

  #add(holder: SlotHolder): void {
    const { identity, address } = holder;
    if (identity !== undefined) {
      this.#known += 1;
      return getOrAdd(this.#byIdentity, nameAccount(identity), IdleQueue).add(holder);
    }
    this.#anonymous.add(holder);
    if (address !== undefined) getOrAdd(this.#byAddress, address, AnonymousSlots).add(holder);
  }

  /** Frees a stranger's place, even if the session has an owner now. */
  #releaseAnonymous(holder: SlotHolder): boolean {
    const { address } = holder;
    if (address !== undefined) removeFrom(this.#byAddress, address, holder);
    return this.#anonymous.remove(holder);
  }
}

/** The holders of places, in the order in which they make room. */
type SlotQueue = IdleQueue | AnonymousSlots;

function isIdle({ isRunning, isRead }: SlotHolder): boolean {
  return !isRunning && !isRead;
}

function evict(holder: SlotHolder | undefined): boolean {
  holder?.evict();
  return holder !== undefined;
}

function getOrAdd<Kind extends SlotQueue>(
  orders: Map<string, Kind>,
  name: string,
  kind: new () => Kind,
): Kind {
  const order = orders.get(name) ?? new kind();
  orders.set(name, order);
  return order;
}

function removeFrom(orders: Map<string, SlotQueue>, name: string, holder: SlotHolder): boolean {
  const order = orders.get(name);
  if (order?.remove(holder) !== true) return false;
  if (order.size === 0) orders.delete(name);
  return true;
}

/** Holders of places, the longest idle first. */
export class IdleQueue {
  /** There is none before the first holder: there may be as many orders as addresses. */
  #holders: Set<SlotHolder> | undefined;

  get size(): number {
    return this.#holders?.size ?? 0;
  }

  add(holder: SlotHolder): void {
    this.#holders ??= new Set();
    this.#holders.add(holder);
  }

  /** Takes a holder out, and returns whether it was there. */
  remove(holder: SlotHolder): boolean {
    return this.#holders?.delete(holder) === true;
  }

  /** Puts a holder that is used behind all others. */
  renew(holder: SlotHolder): void {
    if (this.remove(holder)) this.add(holder);
  }

  /** Gives those that may be given up, the longest idle first. */
  *select(mayGo: (holder: SlotHolder) => boolean): Generator<SlotHolder, undefined> {
    for (const holder of this.#holders ?? []) if (mayGo(holder)) yield holder;
  }

  /** Finds the longest idle that may be given up. */
  find(mayGo: (holder: SlotHolder) => boolean): SlotHolder | undefined {
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
export class AnonymousSlots {
  readonly #unconfirmed = new IdleQueue();
  readonly #unused = new IdleQueue();
  readonly #used = new IdleQueue();

  get size(): number {
    return this.#newcomers + this.#used.size;
  }

  add(holder: SlotHolder): void {
    this.#selectOrder(holder).add(holder);
  }

  remove(holder: SlotHolder): boolean {
    return this.#unconfirmed.remove(holder) || this.#unused.remove(holder) || this.#used.remove(holder);
  }

  /** Puts a holder that is used, or confirmed, behind the others that have come as far. */
  renew(holder: SlotHolder): void {
    if (this.remove(holder)) this.add(holder);
  }

  /**
   * Yields the sessions that make room for others, in their order. A recent handshake makes no room before an idle session
   * unless there are many of them: it would never come to its first request.
   *
   * @param mayEndUsed whether those in use make room too, after all others
   */
  *select(mayEndUsed = false): Generator<SlotHolder, undefined> {
    const settled = performance.now() - FIRST_REQUEST_MS;
    const isDue = (newcomer: SlotHolder | undefined, count: number): boolean =>
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
  find(mayEndUsed = false): SlotHolder | undefined {
    return this.select(mayEndUsed).next().value;
  }

  get #newcomers(): number {
    return this.#unconfirmed.size + this.#unused.size;
  }

  #selectOrder({ isUsed, isLive }: SlotHolder): IdleQueue {
    if (isUsed) return this.#used;
    return isLive ? this.#unused : this.#unconfirmed;
  }
}

/** Those of one kind that may make room, in their order. */
class Candidates {
  #next: IteratorResult<SlotHolder, undefined>;

  constructor(private readonly holders: Iterator<SlotHolder, undefined>) {
    this.#next = holders.next();
  }

  get first(): SlotHolder | undefined {
    return this.#next.value;
  }

  take(): SlotHolder | undefined {
    const { value } = this.#next;
    this.#next = this.holders.next();
    return value;
  }
}

/** A stranger's stream does not keep its place: it costs its client nothing. */
export function isNotRunning({ isRunning }: SlotHolder): boolean {
  return !isRunning;
}
