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

/** How long a client can learn the outcome of a call whose process is gone, in milliseconds. */
export const CALL_RECORD_TTL_MS = 5 * 60_000;

/** The number of record renewals per lifetime. */
const TIMES_KEPT = 4;

/** The maximum length of one call's list of request ids, in characters. */
const MOST_CHARACTERS = 16_384;

/** Characters that count as one more call. */
const RECORD_CHARACTERS = 1024;

/** The rate limit on records per caller. */
const OF_A_CALLER = { burst: 20, perSecond: 1 };

/**
 * Records requests whose ids do not fit in event ids. Another process needs them to respond for a process that is
 * gone.
 */
export class CallRequests {
  readonly #ofCallers = new TokenBuckets(OF_A_CALLER);

  constructor(private readonly bus: ClusterBus) {}

  /**
   * Records a stream's requests while the call runs, unless its name contains them. It does not wait, and never
   * throws.
   *
   * @returns a function to call when the call ends, or `undefined` if nothing was recorded
   */
  note(session: Session, stream: string, requestIds: readonly RequestId[]): (() => void) | undefined {
    // Names that contain the request ids end with them.
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
   * Finds a call's requests. Empty if they are unknown.
   *
   * @throws {Error} if the backend is unavailable
   */
  async find(session: Session, place: CallEventName): Promise<readonly RequestId[]> {
    if (place.requestIds.length > 0) return place.requestIds;
    const record = await this.bus.shared?.find(formatRequestsKey(session, place));
    return parseRequestIds(record?.['requests'] ?? '[]') ?? [];
  }
}

/** Contains the session key, so that only the session's callers find the record. */
function formatRequestsKey({ key }: Session, { member, ordinal }: CallEventName): string {
  return `call-requests:${key}:${member}:${ordinal}`;
}

/** The rest of a call's stream, as stored by a process. */
export interface ArchivedStream {
  /** The scopes that the reader's token must have. */
  readonly scopes: readonly string[];
  /** The events after the client's last one; absent if some of them have expired. */
  readonly events: readonly ForwardedEvent[] | undefined;
}

/** The record of a stream, as JSON. */
interface Left {
  readonly v: 1;
  readonly scopes: readonly string[];
  readonly events: readonly (readonly [number: number, json: string])[];
}

const FIELD = 'left';

/** Limits on storing streams: their number, their characters, and the time in milliseconds. */
const MOST_STREAMS = 5000;
const MOST_TOTAL_CHARACTERS = 16 * 1_048_576;
const LONGEST_MS = 3000;

/** Stores undelivered results in the cluster when this process ends, and finds other processes' results. */
export class StreamArchive {
  constructor(
    private readonly bus: ClusterBus,
    private readonly sessions: SessionRegistry,
  ) {}

  /**
   * Stores as much of the calls' streams as the backend accepts in time, undelivered messages first. Delivered ones
   * may be lost too, if a connection has failed without being noticed yet.
   */
  async save(): Promise<void> {
    if (!this.bus.isShared) return;
    const stored = [...this.sessions.all()].flatMap((session) =>
      session.streams.callRests.map((rest) => ({ session, rest })),
    );
    const ordered = [
      ...stored.filter(({ rest }) => !rest.isDelivered),
      ...stored.filter(({ rest }) => rest.isDelivered),
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
   * Finds the stream that a process has stored.
   *
   * @throws {Error} if the backend is unavailable
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

/** Contains the session key, so that only the session's callers find the record. */
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
