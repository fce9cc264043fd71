import type { RequestId } from '../../../../core/protocol/json-rpc.js';
import { Allowances } from '../../../../core/waiting/allowances.js';
import type { ClusterBus } from '../../../cluster/cluster-bus.js';
import { nameSharer } from '../../../sessions/caller-shares.js';
import type { Session } from '../../../sessions/session.js';
import {
  parseCallEventId,
  parseRequestIds,
  type CallEventName,
} from '../../../sessions/streams/call-event-id.js';
import { CALL_KEPT_MS } from './call-kept-ms.js';

/** How often a running call renews its record within the record's lifetime. */
const TIMES_KEPT = 4;

/** Characters of the ids of one call's requests. */
const MOST_CHARACTERS = 16_384;

/** Characters that count as one more call. */
const RECORD_CHARACTERS = 1024;

/** The most calls of one caller that are noted. */
const OF_A_CALLER = { atOnce: 20, perSecond: 1 };

/** Notes the requests whose ids are too long for the ids of events. A process that answers for one that is gone needs them. */
export class CallRequests {
  readonly #ofCallers = new Allowances(OF_A_CALLER);

  constructor(private readonly bus: ClusterBus) {}

  /**
   * Notes the requests of a stream whose name does not contain them, as long as the call runs. It does not wait, and never
   * throws.
   *
   * @returns a function to call when the call is over, or `undefined` if nothing was noted
   */
  note(session: Session, stream: string, requestIds: readonly RequestId[]): (() => void) | undefined {
    // A name that tells them ends with them.
    if (!stream.endsWith('.')) return undefined;
    const place = parseCallEventId(`${stream}:0`);
    const requests = JSON.stringify(requestIds);
    if (place === undefined || requests.length > MOST_CHARACTERS) return undefined;
    if (!this.#ofCallers.take(nameSharer(session), 1 + Math.floor(requests.length / RECORD_CHARACTERS)))
      return undefined;
    const key = formatKey(session, place);
    const write = (): void => {
      if (session.isEnded) return clearInterval(timer);
      const change = { key, set: { requests }, expires: Date.now() + CALL_KEPT_MS };
      this.bus.shared?.change(change).catch(() => undefined);
    };
    const timer = setInterval(write, CALL_KEPT_MS / TIMES_KEPT).unref();
    write();
    return () => clearInterval(timer);
  }

  /**
   * Finds the requests that a call answers. Empty if they are unknown.
   *
   * @throws {Error} if the engine is out of reach
   */
  async find(session: Session, place: CallEventName): Promise<readonly RequestId[]> {
    if (place.requestIds.length > 0) return place.requestIds;
    const record = await this.bus.shared?.find(formatKey(session, place));
    return parseRequestIds(record?.['requests'] ?? '[]') ?? [];
  }
}

/** What was noted for a session is found by nobody but who speaks in it. */
function formatKey({ key }: Session, { member, ordinal }: CallEventName): string {
  return `call-requests:${key}:${member}:${ordinal}`;
}
