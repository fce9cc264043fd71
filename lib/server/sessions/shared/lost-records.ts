import { setImmediate as turn } from 'node:timers/promises';
import type { ClusterBus } from '../../cluster/cluster-bus.js';
import type { ClusterRecordChange } from '../../settings/cluster/cluster.interface.js';
import type { EndedCallers } from '../callers/ended-callers.js';
import type { SessionRegistry } from '../session-registry.js';
import { buildRestored, type Restored } from './restored-session.js';
import { SESSIONS_RESTORED } from './session-change.js';
import { buildEndedRecord } from './session-record.js';

/** The number of records to write concurrently, and the maximum number of sessions in one log entry. */
const AT_ONCE = 100;

/** The maximum number of subscription characters in one log entry. */
const ENTRY_CHARACTERS = 65_536;

/**
 * Restores lost records from this process's state. Other processes restore theirs. Writes wait for the backend, and
 * one log entry covers many sessions, so that other entries are not pushed out of the log.
 */
export class LostRecords {
  constructor(
    private readonly bus: ClusterBus,
    private readonly sessions: SessionRegistry,
    private readonly ended: EndedCallers,
  ) {}

  /** Writes and publishes all sessions' settings. Returns whether everything was written. Never rejects. */
  async restoreSessions(): Promise<boolean> {
    let [restored, characters, count]: [Restored[], number, number] = [[], 0, 0];
    for (const session of [...this.sessions.all()]) {
      const one = buildRestored(session);
      if (one !== undefined) {
        restored.push(one);
        characters += session.subscriptionCharacters;
      }
      count += 1;
      if (restored.length >= AT_ONCE || characters >= ENTRY_CHARACTERS) {
        if (!(await this.#restore(restored))) return false;
        [restored, characters] = [[], 0];
      } else if (count % AT_ONCE === 0) await turn();
    }
    return restored.length === 0 || (await this.#restore(restored));
  }

  /** Writes which sessions have ended, for processes that start later. Returns whether everything was written. Never rejects. */
  async restoreEnds(): Promise<boolean> {
    return (
      (await writeAll(this.ended.list(), (end) => this.ended.raise(end))) &&
      (await writeAll(this.sessions.ended.list(), ([key, expires]) =>
        this.#change(buildEndedRecord({ key, expires })),
      ))
    );
  }

  async #restore(restored: readonly Restored[]): Promise<boolean> {
    if (!(await writeAll(restored, ({ change }) => this.#change(change)))) return false;
    await this.bus.publishFlushed(SESSIONS_RESTORED, {
      sessions: restored.map(({ published }) => published),
    });
    return true;
  }

  async #change(change: ClusterRecordChange): Promise<void> {
    await this.bus.shared?.change(change);
  }
}

/** Writes in batches, to leave Redis time for other work. */
async function writeAll<Item>(
  items: readonly Item[],
  write: (item: Item) => Promise<void>,
): Promise<boolean> {
  for (let next = 0; next < items.length; next += AT_ONCE) {
    const written = await Promise.allSettled(items.slice(next, next + AT_ONCE).map((item) => write(item)));
    if (written.some(({ status }) => status === 'rejected')) return false;
  }
  return true;
}
