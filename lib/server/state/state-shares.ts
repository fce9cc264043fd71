import { HeapCost } from '../memory/heap-costs.js';
import { nameAccount } from '../memory/name-account.js';
import type { MemoryAccount, MemoryHold, MemoryNeed } from '../memory/memory-hold.js';
import type { MemoryBudget, MemoryKeeper } from '../memory/memory-budget.js';
import type { StateOptions } from '../settings/state-options.js';
import { countBytes, findLastEnd, type KeptValues } from './kept-values.js';
import type { StatePlace } from './state-place.js';

/** Milliseconds between two looks for what has expired. */
const SWEEP_MS = 60_000;

/** A text with letters of other scripts takes two bytes for each of its characters. */
const BYTES_OF_TEXT = 2;

/** What something of a place takes. */
interface Share {
  readonly place: StatePlace;
  readonly hold: MemoryHold;
  /** When the last of its values ends. */
  ends: number;
}

/** The parts of shares. */
export interface StateSharesParts {
  /** @default nothing is counted */
  readonly memory?: MemoryBudget | undefined;
  readonly bounds: Pick<Required<StateOptions>, 'maxHandles' | 'maxAnonymousHandles'>;
  /** Whether values are in the memory of this process: elsewhere they end by themselves, and other processes may still use them. */
  readonly areHere: boolean;
  /** The time by which values end. */
  now(): number;
  /** Is called if the values of a place must be deleted. */
  onEnd(place: StatePlace): void;
}

/**
 * Shares the memory of state out among callers. The least recently used state makes room. State of a stranger, who has
 * no token, makes room for everybody. State of a caller makes room for the same caller, and for callers that have less.
 */
export class StateShares implements MemoryKeeper {
  /** By the keys of places, what was not used for longest first. */
  readonly #shares = new Map<string, Share>();
  /** The handles and sessions with something behind them, in the same order: of each owner, and of all strangers. */
  readonly #groups = new Map<string, Map<string, StatePlace>>();
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly parts: StateSharesParts) {
    parts.memory?.addKeeper(this);
  }

  /**
   * Counts the values of a place from now on.
   *
   * @throws {MemoryLimitError} if there is no room for it
   */
  keep(place: StatePlace, values: KeptValues): void {
    const { memory } = this.parts;
    const bytes = this.#countHeap(values);
    const ends = findLastEnd(values);
    const share = this.#shares.get(place.key);
    if (share !== undefined) {
      share.hold.add(bytes - share.hold.bytes, share.hold);
      share.ends = ends;
      return this.use(place);
    }
    if (memory === undefined) return;
    this.#makeRoom(place);
    this.#shares.set(place.key, { place, hold: memory.hold(place.owner, bytes), ends });
    this.#join(place);
    this.#timer ??= setInterval(() => this.#sweep(), SWEEP_MS).unref();
  }

  /** Notes that a place is used: others go before it. */
  use({ key }: StatePlace): void {
    const share = this.#shares.get(key);
    if (share === undefined) return;
    this.#shares.delete(key);
    this.#shares.set(key, share);
    this.#leave(share.place);
    this.#join(share.place);
  }

  /** Counts nothing for a place any more. */
  release({ key }: Pick<StatePlace, 'key'>): void {
    const share = this.#shares.get(key);
    if (share === undefined) return;
    this.#shares.delete(key);
    share.hold.release();
    this.#leave(share.place);
    if (this.#shares.size === 0) this.close();
  }

  close(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  giveUp(account: MemoryAccount, need: MemoryNeed): void {
    for (const { place, hold } of this.#select(account, need)) {
      if (account.hasRoomFor(need.bytes)) return;
      if (hold.account.isWithin(account) && hold !== need.kept) this.#forget(place);
    }
  }

  findEnd(account: MemoryAccount): number | undefined {
    let end: number | undefined;
    for (const { hold, ends } of this.#shares.values()) {
      if (hold.account.isWithin(account)) end = Math.min(end ?? ends, ends);
    }
    return end;
  }

  *#select({ owner }: MemoryAccount, { account: asker }: MemoryNeed): Generator<Share> {
    const all = [...this.#shares.values()];
    yield* all.filter(({ place }) => place.owner.identity === undefined);
    const known = all.filter(({ place }) => place.owner.identity !== undefined);
    if (owner.identity !== undefined) yield* known.filter(({ place }) => !place.isOnly);
    else if (asker.owner.identity !== undefined) {
      for (const share of known) if (share.hold.account.used > asker.used) yield share;
    }
  }

  #makeRoom(place: StatePlace): void {
    const { maxHandles, maxAnonymousHandles } = this.parts.bounds;
    for (const group of listGroups(place)) {
      const most = group === STRANGERS ? maxAnonymousHandles : maxHandles;
      for (const oldest of this.#groups.get(group)?.values() ?? []) {
        if ((this.#groups.get(group)?.size ?? 0) < most) break;
        this.release(oldest);
        this.parts.onEnd(oldest);
      }
    }
  }

  #join(place: StatePlace): void {
    for (const name of listGroups(place)) {
      const group = this.#groups.get(name) ?? new Map<string, StatePlace>();
      this.#groups.set(name, group.set(place.key, place));
    }
  }

  #leave({ key, ...place }: StatePlace): void {
    for (const name of listGroups(place)) {
      const group = this.#groups.get(name);
      group?.delete(key);
      if (group?.size === 0) this.#groups.delete(name);
    }
  }

  /** Counts nothing for a place any more, whose values are as good as gone. */
  #forget(place: StatePlace): void {
    this.release(place);
    if (this.parts.areHere) this.parts.onEnd(place);
  }

  #countHeap(values: KeptValues): number {
    if (!this.parts.areHere) return HeapCost.state;
    return HeapCost.state + values.size * HeapCost.stateValue + BYTES_OF_TEXT * countBytes(values);
  }

  #sweep(): void {
    const now = this.parts.now();
    for (const { place, ends } of [...this.#shares.values()]) if (ends <= now) this.#forget(place);
  }
}

const STRANGERS = 'strangers';

/** Names those whose handles are counted together. */
function listGroups({ owner: { identity, address }, isOnly }: Omit<StatePlace, 'key'>): readonly string[] {
  if (isOnly) return [];
  if (identity !== undefined) return [`caller ${nameAccount(identity)}`];
  return address === undefined ? [STRANGERS] : [`address ${address}`, STRANGERS];
}
