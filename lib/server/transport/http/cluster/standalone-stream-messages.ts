import type { OutboundMessage } from '../../../../core/protocol/outbound-message.js';
import { TokenBuckets } from '../../../../core/async/rate-limits.js';
import { parseStanding, readMember } from '../../../notifications/standing/standing-value.js';
import { type ClusterBus, Topic } from '../../../cluster/cluster-bus.js';
import { nameSharer } from '../../../sessions/caller-shares.js';
import type { SessionRegistry } from '../../../sessions/session-registry.js';
import type { Session } from '../../../sessions/session.js';
import type { BoundedState } from '../../../sessions/shared/bounded-state.js';
import { buildRecordKey, parseSessionRecord } from '../../../sessions/shared/session-record.js';

/** A message of a call, for the reader of the standing stream of its session. */
interface StandaloneStreamMessage {
  readonly session: string;
  readonly json: string;
  /** The scopes that the token of the stream's reader must have. */
  readonly scopes: readonly string[];
}

const STANDING_MESSAGE = new Topic<StandaloneStreamMessage>('calls.standing-message');

/** Milliseconds for which the process of the stream is remembered. */
const KNOWN_MS = 5000;

/** Messages that wait while that is being found out: those beyond are dropped. */
const MOST_WAITING = 100;

/** Messages that calls of one caller send so: those beyond are dropped. */
const OF_A_CALLER = { burst: 200, perSecond: 50 };

/** What is known of where the standing stream of a session is read. */
interface Whereabouts {
  /** The process, if it is another one. */
  readonly member: Promise<string | undefined>;
  readonly at: number;
  isLooking: boolean;
  waiting: number;
}

/** Has another process bring, on a standing stream, what belongs to a call of a client that takes no stream for it. */
export class StandaloneStreamMessages {
  readonly #ofCallers = new TokenBuckets(OF_A_CALLER);
  readonly #known = new WeakMap<Session, Whereabouts>();

  constructor(
    private readonly bus: ClusterBus,
    private readonly sessions: SessionRegistry,
    private readonly state: BoundedState,
  ) {
    bus.on(STANDING_MESSAGE, (message) => this.#take(message));
  }

  /** Finds out whether another process has the standing stream of a session. It never rejects. */
  async isReadElsewhere(session: Session): Promise<boolean> {
    return (await this.#find(session, 0).member) !== undefined;
  }

  /** Passes a message on, if another process has the stream; messages of a session keep their order. */
  pass(session: Session, { json }: OutboundMessage, scopes: readonly string[]): void {
    const found = this.#find(session, KNOWN_MS);
    if (found.waiting >= MOST_WAITING) return;
    found.waiting += 1;
    void this.#pass(session, { session: session.key, json, scopes }, found);
  }

  async #pass(session: Session, message: StandaloneStreamMessage, found: Whereabouts): Promise<void> {
    const member = await found.member;
    found.waiting -= 1;
    const isPassed = member !== undefined && this.#ofCallers.take(nameSharer(session));
    if (isPassed) this.bus.send(STANDING_MESSAGE, message, member);
  }

  #take({ session: key, json, scopes }: StandaloneStreamMessage): void {
    this.sessions.findByKey(key)?.streams.appendStanding({ json }, scopes);
  }

  #find(session: Session, knownMs: number): Whereabouts {
    const known = this.#known.get(session);
    // Messages that wait for one look-up are not overtaken by those that wait for another.
    if (known !== undefined && (known.isLooking || performance.now() - known.at < knownMs)) return known;
    const member = this.#look(session).finally(() => (found.isLooking = false));
    const found: Whereabouts = { member, at: performance.now(), isLooking: true, waiting: 0 };
    this.#known.set(session, found);
    return found;
  }

  async #look({ key }: Session): Promise<string | undefined> {
    const record = (await this.state.find(buildRecordKey(key)))?.record;
    const { reader } = parseStanding(record && parseSessionRecord(record).standing);
    const member = reader === undefined ? undefined : readMember(reader);
    if (member === undefined || member === this.bus.member) return undefined;
    return (await this.state.members())?.includes(member) === true ? member : undefined;
  }
}
