import type { ClusterBus } from '../../cluster/cluster-bus.js';
import type { ClusterRecordChange } from '../../settings/cluster/cluster.interface.js';
import type { BoundedState } from './bounded-state.js';
import { SESSIONS_CHANGED } from './session-change.js';

/** Milliseconds for which announcements about sessions are collected. */
const COLLECTING_MS = 500;

/** Sessions that are told about together. */
const AT_ONCE = 1000;

/** The most sessions with pending announcements. If the engine is out of reach, the oldest make room. */
const MOST_WAITING = 10_000;

/** What is still to be told about one session. */
class PendingUpdate {
  readonly #waiting: (() => void)[] = [];

  /** @param change what is still to be changed in the record, if it is */
  constructor(public change?: ClusterRecordChange) {}

  /** Settles when it was told, or could not be. */
  get whenPublished(): Promise<void> {
    return new Promise((resolve) => void this.#waiting.push(resolve));
  }

  settle(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}

/** Collects the sessions with changes, and announces many of them to every process at once. */
export class UpdateCollector {
  readonly #records = new Map<string, PendingUpdate>();
  readonly #roots = new Map<string, PendingUpdate>();
  #publishing: Promise<unknown> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(
    private readonly bus: ClusterBus,
    private readonly state: BoundedState,
  ) {}

  /**
   * Adds a session whose record says something else.
   *
   * @param change what is to be changed in the record before that is told @default nothing
   * @returns what settles when it was told, or could not be
   */
  add(key: string, change?: ClusterRecordChange): Promise<void> {
    const { whenPublished } = this.#add(key, change);
    dropOldest(this.#records)?.settle();
    this.#publishLater();
    return whenPublished;
  }

  /** Adds a session whose client has other roots. Returns what settles when it was told, or could not be. */
  addRoots(key: string): Promise<void> {
    const pending = this.#roots.get(key) ?? new PendingUpdate();
    this.#roots.set(key, pending);
    const { whenPublished } = pending;
    dropOldest(this.#roots)?.settle();
    this.#publishLater();
    return whenPublished;
  }

  /** Announces all collected changes, as far as possible. Later changes do not wait. It never rejects. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#publishing;
    while (await this.#publishFirst());
  }

  #add(key: string, change: ClusterRecordChange | undefined): PendingUpdate {
    const pending = this.#records.get(key) ?? new PendingUpdate();
    pending.change = change ?? pending.change;
    this.#records.set(key, pending);
    return pending;
  }

  #publishLater(): void {
    this.#timer ??= setTimeout(() => this.#publish(), this.#isHurried ? 0 : COLLECTING_MS).unref();
  }

  get #isHurried(): boolean {
    // What cannot be told yet would be tried again in every turn.
    if (!this.state.isInReach) return false;
    return this.#isClosed || this.#records.size >= AT_ONCE || this.#roots.size >= AT_ONCE;
  }

  #publish(): void {
    this.#timer = undefined;
    this.#publishing ??= this.#publishFirst().finally(() => {
      this.#publishing = undefined;
      if (this.#records.size + this.#roots.size > 0) this.#publishLater();
    });
  }

  /** Announces the sessions that have waited longest. Returns whether there were any. It never rejects. */
  async #publishFirst(): Promise<boolean> {
    if (!this.bus.isConnected) {
      // What cannot be told yet waits, and nobody waits for it.
      for (const waiting of [this.#records, this.#roots]) waiting.forEach((pending) => pending.settle());
      return false;
    }
    const changed = takeFirst(this.#records);
    const records = await this.#write(changed);
    const moved = takeFirst(this.#roots);
    const roots = moved.map(([key]) => key);
    const updates = { ...(records.length > 0 && { records }), ...(roots.length > 0 && { roots }) };
    const hasUpdates = Object.keys(updates).length > 0;
    if (hasUpdates) await this.bus.publishFlushed(SESSIONS_CHANGED, updates);
    for (const [, pending] of [...changed, ...moved]) pending.settle();
    return hasUpdates;
  }

  /** Makes the pending changes. Returns the sessions whose records are up to date. */
  async #write(
    taken: readonly (readonly [key: string, pending: PendingUpdate])[],
  ): Promise<readonly string[]> {
    const written = await Promise.all(
      taken.map(async ([key, { change }]) => {
        if (change === undefined || (await this.state.change(change))) return [key];
        this.#add(key, this.#records.get(key)?.change ?? change);
        return [];
      }),
    );
    return written.flat();
  }
}

type Keyed<Value> = Pick<ReadonlyMap<string, Value>, 'size' | 'entries'> & { delete(key: string): boolean };

function takeFirst<Value>(waiting: Keyed<Value>): readonly (readonly [key: string, value: Value])[] {
  const taken = [...waiting.entries()].slice(0, AT_ONCE);
  for (const [key] of taken) waiting.delete(key);
  return taken;
}

function dropOldest<Value>(waiting: Keyed<Value>): Value | undefined {
  const [oldest] = waiting.size > MOST_WAITING ? waiting.entries() : [];
  if (oldest !== undefined) waiting.delete(oldest[0]);
  return oldest?.[1];
}
