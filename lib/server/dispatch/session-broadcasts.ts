import type { Claims } from '../../core/oauth/claims.js';
import type { Params, RequestId } from '../../core/protocol/json-rpc.js';
import { Allowances } from '../../core/waiting/allowances.js';
import { type ClusterBus, Topic } from '../cluster/cluster-bus.js';
import { nameSharer } from '../sessions/caller-shares.js';
import { LASTING } from '../sessions/lasting.js';
import { findForwardedSession, type ForwardedSender } from '../sessions/forwarded-sender.js';
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
  readonly sender: ForwardedSender;
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
    private readonly bus: ClusterBus,
    private readonly sessions: SessionRegistry,
    private readonly news: SessionNews = new SessionNews(bus),
  ) {}

  /** Subscribes to the notifications that clients sent to other processes. */
  listen({ cancel, forgetRoots, tellExtension }: BroadcastTakers): void {
    if (!this.bus.isShared) return;
    this.bus.on(CANCELLED, ({ sender, ...cancellation }) => {
      const session = findForwardedSession(this.sessions, sender);
      if (session !== undefined) cancel(session, cancellation);
    });
    const forget = (key: string): void => {
      const session = this.sessions.findByKey(key);
      if (session !== undefined) forgetRoots(session);
    };
    this.bus.on(ROOTS_CHANGED, ({ session: key }) => forget(key));
    this.bus.on(SESSIONS_CHANGED, ({ roots = [] }) => roots.forEach(forget));
    this.bus.on(EXTENSION_TOLD, ({ sender, claims, method, params }) => {
      const session = findForwardedSession(this.sessions, sender);
      if (session === undefined) return;
      session.claims = claims;
      tellExtension(session, { method, params });
    });
  }

  /** Tells about a request that does not run here. */
  cancel(session: Session, { requestId, reason }: Cancellation): void {
    if (!this.#mayBeElsewhere(session) || String(requestId).length > LONGEST_ID) return;
    if (!this.#isAllowed(session)) return;
    this.bus.send(CANCELLED, { sender: buildSender(session), requestId, reason });
  }

  /**
   * Announces that the roots of a client have changed, so that the next question does not return the earlier ones.
   * Returns a promise that the client's answer must wait for, if there is one.
   */
  changeRoots(session: Session): Promise<void> | undefined {
    if (!this.#mayBeElsewhere(session)) return undefined;
    const collected = this.news.collectRoots(session);
    if (collected !== undefined) return collected.then(() => this.bus.acknowledged());
    this.bus.publish(ROOTS_CHANGED, { session: session.key });
    return this.bus.acknowledged();
  }

  /** Tells the extension in other processes. */
  tellExtension(session: Session, telling: ExtensionTelling): void {
    if (!this.#mayBeElsewhere(session)) return;
    if (!this.#isAllowed(session, JSON.stringify(telling.params).length)) return;
    this.bus.send(EXTENSION_TOLD, { sender: buildSender(session), claims: session.claims, ...telling });
  }

  #isAllowed(session: Session, characters = 0): boolean {
    return this.#ofCallers.take(nameSharer(session), 1 + Math.floor(characters / MESSAGE_CHARACTERS));
  }

  /** A session that lasts as long as a connection is served by the process that has it. */
  #mayBeElsewhere({ expires }: Session): boolean {
    return this.bus.isShared && expires !== LASTING;
  }
}

function buildSender({ key, identity }: Session): ForwardedSender {
  return { session: key, identity };
}
