import type { OutboundMessage } from '../../../../core/protocol/outbound-message.js';
import { TokenBuckets } from '../../../../core/async/rate-limits.js';
import { parseClaimRecord, readMember } from '../../../notifications/cluster/stream-claims.js';
import { type ClusterBus, Topic } from '../../../cluster/cluster-bus.js';
import { nameSharer } from '../../../sessions/caller-shares.js';
import type { SessionRegistry } from '../../../sessions/session-registry.js';
import type { Session } from '../../../sessions/session.js';
import type { BoundedState } from '../../../sessions/shared/bounded-state.js';
import { buildRecordKey, parseSessionRecord } from '../../../sessions/shared/session-record.js';

/** A call's message for its session's standalone stream. */
interface StandaloneStreamMessage {
  readonly session: string;
  readonly json: string;
  /** The scopes that the token of the stream's reader must have. */
  readonly scopes: readonly string[];
}

const STANDALONE_MESSAGE = new Topic<StandaloneStreamMessage>('calls.standing-message');

/** How long a stream's process is cached, in milliseconds. */
const KNOWN_MS = 5000;

/** The number of messages queued during a lookup; further ones are dropped. */
const MOST_WAITING = 100;

/** The rate limit on messages per caller; further ones are dropped. */
const OF_A_CALLER = { burst: 200, perSecond: 50 };

/** The cached reader for a session's standalone stream. */
interface StreamLocation {
  /** The process, if it is not this one. */
  readonly member: Promise<string | undefined>;
  readonly at: number;
  isLooking: boolean;
  waiting: number;
}

/** Sends messages from calls without a stream to the process that has their session's standalone stream. */
export class StandaloneStreamMessages {
  readonly #ofCallers = new TokenBuckets(OF_A_CALLER);
  readonly #known = new WeakMap<Session, StreamLocation>();

  constructor(
    private readonly bus: ClusterBus,
    private readonly sessions: SessionRegistry,
    private readonly state: BoundedState,
  ) {
    bus.on(STANDALONE_MESSAGE, (message) => this.#take(message));
  }

  /** Whether another process has a session's standalone stream. Never rejects. */
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
    if (isPassed) this.bus.send(STANDALONE_MESSAGE, message, member);
  }

  #take({ session: key, json, scopes }: StandaloneStreamMessage): void {
    this.sessions.findByKey(key)?.streams.appendStandalone({ json }, scopes);
  }

  #find(session: Session, knownMs: number): StreamLocation {
    const known = this.#known.get(session);
    // Messages waiting for one lookup must not be overtaken by messages from the next.
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
