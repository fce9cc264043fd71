import type { ClusterBus } from '../../cluster/cluster-bus.js';
import type { ClusterRecordChange } from '../../settings/cluster/cluster.interface.js';
import type { BoundedState } from './bounded-state.js';
import { SESSIONS_CHANGED } from './session-change.js';

/** Milliseconds between batches. */
const COLLECTING_MS = 500;

/** Sessions in one batch. */
const AT_ONCE = 1000;

/** The maximum number of sessions with pending updates. While the backend is unreachable, the oldest are dropped. */
const MOST_WAITING = 10_000;

/** A pending update for one session. */
class PendingUpdate {
  readonly #waiting: (() => void)[] = [];

  /** @param change a record change that must be written first */
  constructor(public change?: ClusterRecordChange) {}

  /** Settles when it was published, or has failed. */
  get whenPublished(): Promise<void> {
    return new Promise((resolve) => void this.#waiting.push(resolve));
  }

  settle(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}

/** Collects changed sessions, and publishes them to every process in batches. */
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
   * Adds a session whose record has changed.
   *
   * @param change a change of the record that must be written first @default nothing
   * @returns a promise that settles when the update was published, or has failed
   */
  add(key: string, change?: ClusterRecordChange): Promise<void> {
    const { whenPublished } = this.#add(key, change);
    dropOldest(this.#records)?.settle();
    this.#publishLater();
    return whenPublished;
  }

  /** Adds a session whose roots have changed. The promise settles when that was published, or has failed. */
  addRoots(key: string): Promise<void> {
    const pending = this.#roots.get(key) ?? new PendingUpdate();
    this.#roots.set(key, pending);
    const { whenPublished } = pending;
    dropOldest(this.#roots)?.settle();
    this.#publishLater();
    return whenPublished;
  }

  /** Publishes all pending updates, if possible. Later updates are no longer delayed. Never rejects. */
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
    // Otherwise an unreachable backend would be retried on every tick.
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

  /** Publishes the oldest updates. Returns whether there were any. Never rejects. */
  async #publishFirst(): Promise<boolean> {
    if (!this.bus.isConnected) {
      // The updates stay pending, but their callers must not wait.
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

  /** Writes the pending changes. Returns the sessions whose records are current. */
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
