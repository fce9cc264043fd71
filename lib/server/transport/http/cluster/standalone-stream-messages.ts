import type { OutboundMessage } from '../../../../core/protocol/outbound-message.js';
import { TokenBuckets } from '../../../../core/async/rate-limits.js';
import { parseClaimRecord, readMember } from '../../../notifications/cluster/stream-claims.js';
import { type ClusterBus, Topic } from '../../../cluster/cluster-bus.js';
import { nameSharer } from '../../../sessions/caller-shares.js';
import type { SessionRegistry } from '../../../sessions/session-registry.js';
import type { Session } from '../../../sessions/session.js';
import type { BoundedState } from '../../../sessions/shared/bounded-state.js';
import { buildRecordKey, parseSessionRecord } from '../../../sessions/shared/session-record.js';

/** A message of a call for the standalone stream of its session. */
interface StandaloneStreamMessage {
  readonly session: string;
  readonly json: string;
  /** The scopes that the token of the stream's reader must have. */
  readonly scopes: readonly string[];
}

const STANDING_MESSAGE = new Topic<StandaloneStreamMessage>('calls.standing-message');

/** Milliseconds for which the process of a stream is cached. */
const KNOWN_MS = 5000;

/** Messages queued during a lookup; further ones are dropped. */
const MOST_WAITING = 100;

/** Rate limit of messages per caller; further ones are dropped. */
const OF_A_CALLER = { burst: 200, perSecond: 50 };

/** The cached reader of a session's standalone stream. */
interface StreamLocation {
  /** The process, if it is another one. */
  readonly member: Promise<string | undefined>;
  readonly at: number;
  isLooking: boolean;
  waiting: number;
}

/** Sends messages of calls without a stream to the process that has the standalone stream of their session. */
export class StandaloneStreamMessages {
  readonly #ofCallers = new TokenBuckets(OF_A_CALLER);
  readonly #known = new WeakMap<Session, StreamLocation>();

  constructor(
    private readonly bus: ClusterBus,
    private readonly sessions: SessionRegistry,
    private readonly state: BoundedState,
  ) {
    bus.on(STANDING_MESSAGE, (message) => this.#take(message));
  }

  /** Whether another process has the standalone stream of a session. Never rejects. */
  async isReadElsewhere(session: Session): Promise<boolean> {
    return (await this.#find(session, 0).member) !== undefined;
  }

  /** Sends a message if another process has the stream, in order within the session. */
  pass(session: Session, { json }: OutboundMessage, scopes: readonly string[]): void {
    const found = this.#find(session, KNOWN_MS);
    if (found.waiting >= MOST_WAITING) return;
    found.waiting += 1;
    void this.#pass(session, { session: session.key, json, scopes }, found);
  }

  async #pass(session: Session, message: StandaloneStreamMessage, found: StreamLocation): Promise<void> {
    const member = await found.member;
    found.waiting -= 1;
    const isPassed = member !== undefined && this.#ofCallers.take(nameSharer(session));
    if (isPassed) this.bus.send(STANDING_MESSAGE, message, member);
  }

  #take({ session: key, json, scopes }: StandaloneStreamMessage): void {
    this.sessions.findByKey(key)?.streams.appendStandalone({ json }, scopes);
  }

  #find(session: Session, knownMs: number): StreamLocation {
    const known = this.#known.get(session);
    // Messages that wait for a lookup must not be overtaken by those of the next.
    if (known !== undefined && (known.isLooking || performance.now() - known.at < knownMs)) return known;
    const member = this.#look(session).finally(() => (found.isLooking = false));
    const found: StreamLocation = { member, at: performance.now(), isLooking: true, waiting: 0 };
    this.#known.set(session, found);
    return found;
  }

  async #look({ key }: Session): Promise<string | undefined> {
    const record = (await this.state.find(buildRecordKey(key)))?.record;
    const { reader } = parseClaimRecord(record && parseSessionRecord(record).standing);
    const member = reader === undefined ? undefined : readMember(reader);
    if (member === undefined || member === this.bus.member) return undefined;
    return (await this.state.members())?.includes(member) === true ? member : undefined;
  }
}
