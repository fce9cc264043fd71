import type { Relay } from '../../relay/relay.js';
import type { ClusterRecordChange } from '../../settings/cluster/cluster.interface.js';
import type { BoundedState } from './bounded-state.js';
import { SESSIONS_CHANGED } from './session-change.js';

/** Milliseconds for which what is told of sessions is collected. */
const COLLECTING_MS = 500;

/** Sessions that are told of together. */
const AT_ONCE = 1000;

/** Sessions whose records are still to be changed: while that cannot be done, the oldest make room. */
const MOST_WAITING = 10_000;

/** Collects of which sessions something is to be told, and tells every process of many at once. */
export class CollectedNews {
  /** With what is still to be changed in the record, if it is. */
  readonly #records = new Map<string, ClusterRecordChange | undefined>();
  readonly #roots = new Set<string>();
  /** Settles when what was collected until now was told, or could not be. */
  #told: Promise<void> | undefined;
  #tell: (() => void) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(
    private readonly relay: Relay,
    private readonly state: BoundedState,
  ) {}

  /**
   * Adds a session whose record says something else.
   *
   * @param change what is to be changed in the record before that is told @default nothing
   * @returns what settles when it was told, or could not be
   */
  add(key: string, change?: ClusterRecordChange): Promise<void> {
    this.#records.set(key, change ?? this.#records.get(key));
    return this.#collect();
  }

  /** Adds a session whose client has other roots. */
  addRoots(key: string): void {
    this.#roots.add(key);
    void this.#collect();
  }

  /** Tells of what was collected, as far as it can be told, and of nothing more. It never rejects. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#tellNow();
  }

  /** What cannot be told yet waits. It never rejects. */
  async #tellNow(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const settle = this.#tell;
    this.#told = this.#tell = undefined;
    if (this.relay.isConnected) {
      const [records, roots] = [await this.#write(), takeFirst(this.#roots)];
      const news = { ...(records.length > 0 && { records }), ...(roots.length > 0 && { roots }) };
      if (Object.keys(news).length > 0) await this.relay.publishSettled(SESSIONS_CHANGED, news);
    }
    settle?.();
    if (this.#records.size + this.#roots.size > 0 && !this.#isClosed) void this.#collect();
  }

  #collect(): Promise<void> {
    this.#dropOldest();
    this.#told ??= new Promise((resolve) => (this.#tell = resolve));
    const isFull = this.#records.size >= AT_ONCE || this.#roots.size >= AT_ONCE;
    this.#timer ??= setTimeout(() => void this.#tellNow(), isFull ? 0 : COLLECTING_MS).unref();
    return this.#told;
  }

  /** Makes the changes that are still to be made, and gives the sessions whose records are as they should be. */
  async #write(): Promise<readonly string[]> {
    const taken = [...this.#records].slice(0, AT_ONCE);
    for (const [key] of taken) this.#records.delete(key);
    const written = await Promise.all(
      taken.map(async ([key, change]) => {
        if (change === undefined || (await this.state.change(change))) return [key];
        if (this.#records.get(key) === undefined) this.#records.set(key, change);
        return [];
      }),
    );
    return written.flat();
  }

  #dropOldest(): void {
    const [oldest] = this.#records.size > MOST_WAITING ? this.#records.keys() : [];
    if (oldest !== undefined) this.#records.delete(oldest);
  }
}

function takeFirst(keys: Set<string>): readonly string[] {
  const taken = [...keys].slice(0, AT_ONCE);
  for (const key of taken) keys.delete(key);
  return taken;
}
