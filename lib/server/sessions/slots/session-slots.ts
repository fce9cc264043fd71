import { type MemoryCaller, nameAccount } from '../../memory/memory-account.js';
import type { ServerSettings } from '../../settings/server-settings.js';
import { SessionLimitError } from '../session-limit.error.js';
import type { SlotHolder } from './slot-holder.interface.js';

/**
 * Allocates a server's session slots. At each limit, the longest-idle session is evicted. Anonymous sessions are
 * evicted for any caller, but those in use only for authenticated callers. The authenticated caller with the most
 * sessions loses one to other authenticated callers, never to anonymous ones.
 */
export class SessionSlots {
  readonly #limits: ServerSettings['sessions'];
  readonly #anonymous = new AnonymousSlots();
  readonly #byAddress = new Map<string, AnonymousSlots>();
  readonly #byIdentity = new Map<string, IdleQueue>();
  #known = 0;

  constructor({ sessions }: ServerSettings) {
    this.#limits = sessions;
  }

  /**
   * Allocates a slot until its {@link release}.
   *
   * @throws {SessionLimitError} if all slots are in use and none can be evicted
   */
  take(holder: SlotHolder): void {
    if (!this.#evictFor(holder)) throw new SessionLimitError();
    this.#add(holder);
  }

  /**
   * Reassigns an anonymous session's slot to an authenticated caller.
   *
   * @param bind binds the session to the caller, and receives the caller's session to evict, if any. If it throws, nothing
   *   has changed
   * @throws {SessionLimitError} if the caller has reached its limit and none of its sessions is idle; in that case,
   * nothing has changed
   */
  transfer(holder: SlotHolder, identity: string, bind: (leaving: SlotHolder | undefined) => void): void {
    const own = this.#findOwn(identity);
    const isFull = own !== undefined && own.size >= this.#limits.maxSessionsPerCaller;
    const leaving = isFull ? own.find(isIdle) : undefined;
    if (isFull && leaving === undefined) throw new SessionLimitError();
    bind(leaving);
    leaving?.evict();
    if (this.#releaseAnonymous(holder)) this.#add(holder);
  }

  /** Records a use of the session, which makes it the last to be evicted. */
  use(holder: SlotHolder): void {
    holder.use();
    this.renew(holder);
  }

  /** Moves a holder to the end of its queue after it was used or the client confirmed initialization. */
  renew(holder: SlotHolder): void {
    const { identity, address } = holder;
    if (identity !== undefined) return this.#findOwn(identity)?.renew(holder);
    this.#anonymous.renew(holder);
    if (address !== undefined) this.#byAddress.get(address)?.renew(holder);
  }

  /** Releases a slot. Returns whether the holder had one. */
  release(holder: SlotHolder): boolean {
    const { identity } = holder;
    if (identity === undefined) return this.#releaseAnonymous(holder);
    const isHeld = removeFrom(this.#byIdentity, nameAccount(identity), holder);
    if (isHeld) this.#known -= 1;
    return isHeld;
  }

  /**
   * Yields the idle sessions of a caller, or of all anonymous callers, in eviction order.
   *
   * @param mayEndUsed whether anonymous sessions in use are included
   */
  selectIdle({ identity, address }: MemoryCaller, mayEndUsed = false): Iterable<SlotHolder> {
    if (identity !== undefined) return this.#findOwn(identity)?.select(isIdle) ?? [];
    if (address !== undefined) return this.#byAddress.get(address)?.select(mayEndUsed) ?? [];
    return this.#anonymous.select(mayEndUsed);
  }

  /** Yields an authenticated caller's evictable sessions, idle ones first. */
  *selectEvictable(identity: string): Generator<SlotHolder, undefined> {
    const own = this.#findOwn(identity);
    if (own === undefined) return;
    yield* own.select(isIdle);
    yield* own.select(isNotRunning);
  }

  /** Returns the authenticated callers with slots. */
  identities(): Iterable<string> {
    return this.#byIdentity.keys();
  }

  #findOwn(identity: string): IdleQueue | undefined {
    return this.#byIdentity.get(nameAccount(identity));
  }

  #evictFor({ identity, address }: SlotHolder): boolean {
    if (identity !== undefined) return this.#evictOwn(identity) && this.#evictAny();
    if (address !== undefined && !this.#evictAt(address)) return false;
    const { maxSessions, maxAnonymousSessions } = this.#limits;
    const hasRoom = this.#anonymous.size < maxAnonymousSessions && this.size < maxSessions;
    return hasRoom || evict(this.#anonymous.find());
  }

  /** Protects authenticated sessions with an open stream, whose client is probably still there. */
  #evictOwn(identity: string): boolean {
    const own = this.#findOwn(identity);
    if (own === undefined || own.size < this.#limits.maxSessionsPerCaller) return true;
    return evict(own.find(isIdle));
  }

  #evictAt(address: string): boolean {
    const near = this.#byAddress.get(address);
    if (near === undefined || near.size < this.#limits.maxSessionsPerAddress) return true;
    return evict(near.find());
  }

  #evictAny(): boolean {
    if (this.size < this.#limits.maxSessions) return true;
    return evict(this.#anonymous.find(true) ?? this.#findOver() ?? this.#findOfMost());
  }

  /** An expired session holds its slot until the next sweep. */
  #findOver(): SlotHolder | undefined {
    for (const own of this.#byIdentity.values()) {
      const holder = own.find(({ isOver }) => isOver);
      if (holder !== undefined) return holder;
    }
    return undefined;
  }

  /** A caller's only session is never evicted for others. */
  #findOfMost(): SlotHolder | undefined {
    let most: IdleQueue | undefined;
    for (const own of this.#byIdentity.values()) if (own.size > (most?.size ?? 1)) most = own;
    return most?.find(isIdle) ?? most?.find(isNotRunning);
  }

  /** The number of slots in use. */
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

  /** Releases an anonymous slot, even if the session has an owner now. */
  #releaseAnonymous(holder: SlotHolder): boolean {
    const { address } = holder;
    if (address !== undefined) removeFrom(this.#byAddress, address, holder);
    return this.#anonymous.remove(holder);
  }
}

/** Slot holders in eviction order. */
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

/** Slot holders, longest idle first. */
export class IdleQueue {
  /** Created with the first holder, because each address has a queue. */
  #holders: Set<SlotHolder> | undefined;

  get size(): number {
    return this.#holders?.size ?? 0;
  }

  add(holder: SlotHolder): void {
    this.#holders ??= new Set();
    this.#holders.add(holder);
  }

  /** Removes a holder. Returns whether it was present. */
  remove(holder: SlotHolder): boolean {
    return this.#holders?.delete(holder) === true;
  }

  /** Moves a holder to the end. */
  renew(holder: SlotHolder): void {
    if (this.remove(holder)) this.add(holder);
  }

  /** Yields the evictable holders, longest idle first. */
  *select(mayGo: (holder: SlotHolder) => boolean): Generator<SlotHolder, undefined> {
    for (const holder of this.#holders ?? []) if (mayGo(holder)) yield holder;
  }

  /** Finds the longest-idle evictable holder. */
  find(mayGo: (holder: SlotHolder) => boolean): SlotHolder | undefined {
    return this.select(mayGo).next().value;
  }
}

/** The grace period between initialization and the first request. */
const FIRST_REQUEST_MS = 1000;

/** Above this fraction of all slots, new sessions are evicted before idle ones. */
const NEWCOMERS_SHARE = 4;

/**
 * Anonymous callers' sessions. Unconfirmed sessions are evicted first, then unused ones, then the longest idle. A
 * session in use is never evicted for an anonymous caller; otherwise, a flood of new sessions would end it.
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

  /** Moves a used or confirmed holder to the end of its queue. */
  renew(holder: SlotHolder): void {
    if (this.remove(holder)) this.add(holder);
  }

  /**
   * Yields the evictable sessions in order. A recently initialized session outlasts idle ones unless there are many
   * such sessions, because otherwise its client could never send a first request.
   *
   * @param mayEndUsed whether sessions in use follow all others
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

  /** Finds the next session to evict. */
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

/** Evictable sessions of one kind, in order. */
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

/** An open stream does not protect an anonymous session, because it costs the client nothing. */
export function isNotRunning({ isRunning }: SlotHolder): boolean {
  return !isRunning;
}
