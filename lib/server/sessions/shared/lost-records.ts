import { setImmediate as turn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { FIRST_LOG_LEVEL } from '../../../core/protocol/log-level.js';
import { formatPosition } from '../../relay/position.js';
import { Relay } from '../../relay/relay.js';
import type { ClusterPosition, ClusterRecordChange } from '../../settings/cluster/cluster.interface.js';
import { EndedCallers } from '../callers/ended-callers.js';
import { SessionRegistry } from '../session-registry.js';
import type { Session } from '../session.js';
import { SESSION_CHANGE } from './session-change.js';
import { buildRecordKey, buildSubscriptionField, SessionField } from './session-record.js';

/** Records that are written at once. */
const AT_ONCE = 100;

/** Writes down again what records said that are lost, as far as this process knows it: others may know the rest. */
@Injectable()
export class LostRecords {
  constructor(
    private readonly relay: Relay,
    private readonly sessions: SessionRegistry,
    private readonly ended: EndedCallers,
  ) {}

  /** Writes what clients have settled in their sessions, and tells every process. It never rejects. */
  async restoreSessions(): Promise<void> {
    let count = 0;
    for (const session of [...this.sessions.all()]) {
      this.#restore(session);
      count += 1;
      if (count % AT_ONCE === 0) await turn();
    }
  }

  /** Writes which sessions have ended, for processes that start later. It never rejects. */
  async restoreEnds(): Promise<void> {
    const ends = [...this.ended.listRecords(), ...this.sessions.ended.list().map(buildEnd)];
    await this.#write(ends).catch(() => undefined);
  }

  #restore(session: Session): void {
    const { subscriptions, logLevel, shared, key, expires } = session;
    if (shared === undefined) return;
    const subscribed = [...subscriptions];
    const { owner } = shared;
    // Whoever has not heard of a level must not have others forget it.
    const level = logLevel === FIRST_LOG_LEVEL ? undefined : logLevel;
    if (subscribed.length === 0 && owner === undefined && level === undefined) return;
    const since = subscribed.map((uri) => [uri, session.findSubscribed(uri)] as const);
    const set = {
      ...(level !== undefined && { [SessionField.level]: level }),
      ...(owner !== undefined && { [SessionField.owner]: owner }),
      ...Object.fromEntries(since.flatMap(([uri, position]) => formatBeginning(uri, position))),
    };
    const unknown = since.flatMap(([uri, position]) => (position === undefined ? [uri] : []));
    this.relay.publish(
      SESSION_CHANGE,
      { key, subscribed, ...(level && { level }), ...(owner && { owner }) },
      { key: buildRecordKey(key), set, stamp: unknown.map(buildSubscriptionField), expires },
    );
  }

  /** Clients need none of these at once: Redis has other things to do then. */
  async #write(changes: readonly ClusterRecordChange[]): Promise<void> {
    for (let next = 0; next < changes.length; next += AT_ONCE) {
      const some = changes.slice(next, next + AT_ONCE);
      await Promise.all(some.map(async (change) => this.relay.shared?.change(change)));
    }
  }
}

/** Gives the field that says since when a session is subscribed, if that is known. */
function formatBeginning(
  uri: string,
  since: ClusterPosition | undefined,
): readonly (readonly [field: string, value: string])[] {
  return since === undefined ? [] : [[buildSubscriptionField(uri), formatPosition(since)]];
}

function buildEnd([key, expires]: readonly [key: string, expires: number]): ClusterRecordChange {
  return { key: buildRecordKey(key), set: { [SessionField.ended]: '1' }, expires };
}
