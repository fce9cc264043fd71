import type { RequestId } from '../../../../core/protocol/json-rpc.js';
import { TokenBuckets } from '../../../../core/async/rate-limits.js';
import type { ClusterBus } from '../../../cluster/cluster-bus.js';
import { nameSharer } from '../../../sessions/caller-shares.js';
import type { Session } from '../../../sessions/session.js';
import {
  type CallEventName,
  parseCallEventId,
  parseRequestIds,
} from '../../../sessions/streams/call-event-id.js';
import { settleWithin } from '../../../../core/async/timeouts.js';
import type { SessionRegistry } from '../../../sessions/session-registry.js';
import type { CallRest } from '../../../sessions/streams/call-rest.js';
import type { ForwardedEvent } from './call-stream-messages.js';

/** Milliseconds for which a returning client can learn about a call whose process is gone. */
export const CALL_RECORD_TTL_MS = 5 * 60_000;

/** How often a running call renews its record within the record's lifetime. */
const TIMES_KEPT = 4;

/** Characters of the ids of one call's requests. */
const MOST_CHARACTERS = 16_384;

/** Characters that count as one more call. */
const RECORD_CHARACTERS = 1024;

/** The most calls of one caller that are noted. */
const OF_A_CALLER = { burst: 20, perSecond: 1 };

/** Notes the requests whose ids are too long for the ids of events. A process that answers for one that is gone needs them. */
export class CallRequests {
  readonly #ofCallers = new TokenBuckets(OF_A_CALLER);

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
    const key = formatRequestsKey(session, place);
    const write = (): void => {
      if (session.isEnded) return clearInterval(timer);
      const change = { key, set: { requests }, expires: Date.now() + CALL_RECORD_TTL_MS };
      this.bus.shared?.change(change).catch(() => undefined);
    };
    const timer = setInterval(write, CALL_RECORD_TTL_MS / TIMES_KEPT).unref();
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
    const record = await this.bus.shared?.find(formatRequestsKey(session, place));
    return parseRequestIds(record?.['requests'] ?? '[]') ?? [];
  }
}

/** What was noted for a session is found by nobody but who speaks in it. */
function formatRequestsKey({ key }: Session, { member, ordinal }: CallEventName): string {
  return `call-requests:${key}:${member}:${ordinal}`;
}

/** What a process has left of a call's stream. */
export interface ArchivedStream {
  /** The scopes that the reader's token must have. */
  readonly scopes: readonly string[];
  /** The events after the last one that the client knows; absent if one of them is no longer kept. */
  readonly events: readonly ForwardedEvent[] | undefined;
}

/** What a record says of a stream, as JSON. */
interface Left {
  readonly v: 1;
  readonly scopes: readonly string[];
  readonly events: readonly (readonly [number: number, json: string])[];
}

const FIELD = 'left';

/** Streams that a process leaves at most, characters of them, and milliseconds that it takes for that. */
const MOST_STREAMS = 5000;
const MOST_TOTAL_CHARACTERS = 16 * 1_048_576;
const LONGEST_MS = 3000;

/** When this process ends, it hands results that clients have not fetched to the other processes. It also finds the results of others. */
export class StreamArchive {
  constructor(
    private readonly bus: ClusterBus,
    private readonly sessions: SessionRegistry,
  ) {}

  /**
   * Leaves what calls' streams hold, as much of it as the engine takes in bounded time. Messages that no reader was given
   * come first. Given ones may be lost too, with a connection whose cut nobody has noticed yet.
   */
  async save(): Promise<void> {
    if (!this.bus.isShared) return;
    const kept = [...this.sessions.all()].flatMap((session) =>
      session.streams.callRests.map((rest) => ({ session, rest })),
    );
    const ordered = [
      ...kept.filter(({ rest }) => !rest.isDelivered),
      ...kept.filter(({ rest }) => rest.isDelivered),
    ];
    let characters = 0;
    const leaving: Promise<void>[] = [];
    for (const { session, rest } of ordered.slice(0, MOST_STREAMS)) {
      const text = formatLeft(rest);
      characters += text.length;
      if (characters > MOST_TOTAL_CHARACTERS) break;
      leaving.push(this.#write(session, rest, text));
    }
    await settleWithin(Promise.allSettled(leaving), LONGEST_MS);
  }

  /**
   * Finds what a process that is gone has left of a stream.
   *
   * @throws {Error} if the engine is out of reach
   */
  async find(
    session: Session,
    { stream, member, ordinal, number = 0 }: CallEventName,
  ): Promise<ArchivedStream | undefined> {
    const record = await this.bus.shared?.find(formatStreamKey(session, member, ordinal));
    const left = parseLeft(record?.[FIELD]);
    if (left === undefined) return undefined;
    const missed = left.events.filter(([count]) => count > number);
    const isWhole = missed.length === 0 || missed[0]?.[0] === number + 1;
    const events = missed.map(([count, json]) => ({ id: `${stream}:${count}`, json }));
    return { scopes: left.scopes, events: isWhole ? events : undefined };
  }

  async #write(session: Session, { ordinal }: CallRest, text: string): Promise<void> {
    const key = formatStreamKey(session, this.bus.member, ordinal);
    await this.bus.shared?.change({ key, set: { [FIELD]: text }, expires: Date.now() + CALL_RECORD_TTL_MS });
  }
}

/** What was left for a session is found by nobody but who speaks in it. */
function formatStreamKey({ key }: Session, member: string, ordinal: number): string {
  return `call:${key}:${member}:${ordinal}`;
}

function formatLeft({ scopes, events }: CallRest): string {
  const left: Left = { v: 1, scopes, events: events.map(({ number, message }) => [number, message.json]) };
  return JSON.stringify(left);
}

function parseLeft(text: string | undefined): Left | undefined {
  const left = text === undefined ? undefined : (JSON.parse(text) as Left);
  return left?.v === 1 ? left : undefined;
}
