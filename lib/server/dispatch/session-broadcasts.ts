import type { Claims } from '../../core/oauth/claims.js';
import type { Params, RequestId } from '../../core/protocol/json-rpc.js';
import { Allowances } from '../../core/waiting/allowances.js';
import type { Relay } from '../relay/relay.js';
import { Topic } from '../relay/topic.js';
import { nameSharer } from '../sessions/caller-shares.js';
import { LASTING } from '../sessions/lasting.js';
import { findRelayedSession, type RelayedSender } from '../sessions/relayed-sender.js';
import type { SessionRegistry } from '../sessions/session-registry.js';
import type { Session } from '../sessions/session.js';
import { SESSIONS_CHANGED } from '../sessions/shared/session-change.js';
import { SessionNews } from '../sessions/shared/session-news.js';

/** That a client wants no answer to a request any more. */
export interface Cancellation {
  readonly requestId: RequestId;
  readonly reason: string;
}

/** What a client tells an extension. */
export interface ExtensionTelling {
  readonly method: string;
  readonly params: Params;
}

interface Told {
  readonly sender: RelayedSender;
}

const CANCELLED = new Topic<Told & Cancellation>('calls.cancelled');
const ROOTS_CHANGED = new Topic<{ readonly session: string }>('sessions.roots-changed');
const EXTENSION_TOLD = new Topic<Told & ExtensionTelling & { readonly claims?: Claims | undefined }>(
  'sessions.extension-told',
);

/** The most characters of a request's id. No honest client uses a longer one. */
const LONGEST_ID = 4096;

/** Messages to all processes that one caller may cause. Further ones are not passed on, because clients cannot rely on them. */
const OF_A_CALLER = { atOnce: 200, perSecond: 50 };

/** Characters that count as one more message. */
const MESSAGE_CHARACTERS = 4096;

/** Takes what clients told other processes. */
export interface BroadcastTakers {
  cancel(session: Session, cancellation: Cancellation): void;
  forgetRoots(session: Session): void;
  tellExtension(session: Session, telling: ExtensionTelling): void;
}

/** Passes a client's notification to the other processes of a server, because each of them may serve its session. */
export class SessionBroadcasts {
  readonly #ofCallers = new Allowances(OF_A_CALLER);

  constructor(
    private readonly relay: Relay,
    private readonly sessions: SessionRegistry,
    private readonly news: SessionNews = new SessionNews(relay),
  ) {}

  /** Subscribes to the notifications that clients sent to other processes. */
  listen({ cancel, forgetRoots, tellExtension }: BroadcastTakers): void {
    if (!this.relay.isShared) return;
    this.relay.on(CANCELLED, ({ sender, ...cancellation }) => {
      const session = findRelayedSession(this.sessions, sender);
      if (session !== undefined) cancel(session, cancellation);
    });
    const forget = (key: string): void => {
      const session = this.sessions.findByKey(key);
      if (session !== undefined) forgetRoots(session);
    };
    this.relay.on(ROOTS_CHANGED, ({ session: key }) => forget(key));
    this.relay.on(SESSIONS_CHANGED, ({ roots = [] }) => roots.forEach(forget));
    this.relay.on(EXTENSION_TOLD, ({ sender, claims, method, params }) => {
      const session = findRelayedSession(this.sessions, sender);
      if (session === undefined) return;
      session.claims = claims;
      tellExtension(session, { method, params });
    });
  }

  /** Tells about a request that does not run here. */
  cancel(session: Session, { requestId, reason }: Cancellation): void {
    if (!this.#mayBeElsewhere(session) || String(requestId).length > LONGEST_ID) return;
    if (!this.#isAllowed(session)) return;
    this.relay.tell(CANCELLED, { sender: buildSender(session), requestId, reason });
  }

  /**
   * Announces that the roots of a client have changed, so that the next question does not return the earlier ones.
   * Returns a promise that the client's answer must wait for, if there is one.
   */
  changeRoots(session: Session): Promise<void> | undefined {
    if (!this.#mayBeElsewhere(session)) return undefined;
    const collected = this.news.collectRoots(session);
    if (collected !== undefined) return collected.then(() => this.relay.heard());
    this.relay.publish(ROOTS_CHANGED, { session: session.key });
    return this.relay.heard();
  }

  /** Tells the extension in other processes. */
  tellExtension(session: Session, telling: ExtensionTelling): void {
    if (!this.#mayBeElsewhere(session)) return;
    if (!this.#isAllowed(session, JSON.stringify(telling.params).length)) return;
    this.relay.tell(EXTENSION_TOLD, { sender: buildSender(session), claims: session.claims, ...telling });
  }

  #isAllowed(session: Session, characters = 0): boolean {
    return this.#ofCallers.take(nameSharer(session), 1 + Math.floor(characters / MESSAGE_CHARACTERS));
  }

  /** A session that lasts as long as a connection is served by the process that has it. */
  #mayBeElsewhere({ expires }: Session): boolean {
    return this.relay.isShared && expires !== LASTING;
  }
}

function buildSender({ key, identity }: Session): RelayedSender {
  return { session: key, identity };
}
