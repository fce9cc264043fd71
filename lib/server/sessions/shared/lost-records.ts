import { setImmediate as turn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { FIRST_LOG_LEVEL } from '../../../core/protocol/log-level.js';
import { formatPosition } from '../../relay/position.js';
import { buildRecordOwner } from '../../relay/build-record-owner.js';
import { Relay } from '../../relay/relay.js';
import type { ClusterPosition, ClusterRecordChange } from '../../settings/cluster/cluster.interface.js';
import { EndedCallers } from '../callers/ended-callers.js';
import { SessionRegistry } from '../session-registry.js';
import type { Session } from '../session.js';
import { SESSIONS_RESTORED, type SessionChange } from './session-change.js';
import { buildEndedRecord, buildRecordKey, buildSubscriptionField, SessionField } from './session-record.js';

/** Records that are written at once, and the most sessions in one entry of the log. */
const AT_ONCE = 100;

/** Characters of subscriptions that one entry says. */
const ENTRY_CHARACTERS = 65_536;

/** What is to be said again of a session: to the processes, and in its record. */
interface Restored {
  readonly told: SessionChange;
  readonly change: ClusterRecordChange;
}

/**
 * Writes down again what records said that are lost, as far as this process knows it: others may know the rest. It
 * works at the pace of the engine. One entry covers many sessions, so no entry of others is pushed out of the log.
 */
@Injectable()
export class LostRecords {
  constructor(
    private readonly relay: Relay,
    private readonly sessions: SessionRegistry,
    private readonly ended: EndedCallers,
  ) {}

  /** Writes what clients have settled in their sessions, and tells every process. It never rejects, and tells whether all is written. */
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

  /** Writes which sessions have ended, for processes that start later. It never rejects, and tells whether all is written. */
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
    await this.relay.publishSettled(SESSIONS_RESTORED, { sessions: restored.map(({ told }) => told) });
    return true;
  }

  async #change(change: ClusterRecordChange): Promise<void> {
    await this.relay.shared?.change(change);
  }
}

/** Writes some at a time: clients need none of these at once, and Redis has other things to do. */
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

/** Returns the facts about a session that its record must have, if there are any. */
function buildRestored(session: Session): Restored | undefined {
  const { subscriptions, logLevel, shared, key, expires, isEnded } = session;
  if (shared === undefined || isEnded) return undefined;
  const subscribed = [...subscriptions];
  const { owner } = shared;
  // A process that does not know a level must not delete it for others.
  const level = logLevel === FIRST_LOG_LEVEL ? undefined : logLevel;
  if (subscribed.length === 0 && owner === undefined && level === undefined) return undefined;
  const since = subscribed.map((uri) => [uri, session.findSubscribed(uri)] as const);
  const set = {
    ...(level !== undefined && { [SessionField.level]: level }),
    ...(owner !== undefined && { [SessionField.owner]: owner }),
    ...Object.fromEntries(since.flatMap(([uri, position]) => formatBeginning(uri, position))),
  };
  const unknown = since.flatMap(([uri, position]) => (position === undefined ? [uri] : []));
  return {
    told: { key, subscribed, ...(level && { level }), ...(owner && { owner }) },
    change: {
      key: buildRecordKey(key),
      set,
      stamp: unknown.map(buildSubscriptionField),
      expires,
      owner: buildRecordOwner(session),
    },
  };
}

/** Returns the field that says since when a session is subscribed, if that is known. */
function formatBeginning(
  uri: string,
  since: ClusterPosition | undefined,
): readonly (readonly [field: string, value: string])[] {
  return since === undefined ? [] : [[buildSubscriptionField(uri), formatPosition(since)]];
}
