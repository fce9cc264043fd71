import { Logger } from '../../core/logger/logger.js';
import { announcesRoots, declaresExtension } from '../../core/protocol/capabilities.js';
import {
  isRequestId,
  type JsonRpcNotification,
  type Params,
  type RequestId,
} from '../../core/protocol/json-rpc.js';
import type { Peer } from '../context/peer.interface.js';
import type { RequestTracker } from '../sessions/in-flight-requests.js';
import type { SessionRegistry } from '../sessions/session-registry.js';
import { Session } from '../sessions/session.js';
import { logFailure } from '../log/log-failure.js';
import { LocalBus } from '../cluster/local-bus.js';
import type { ServerSettings } from '../settings/server-settings.js';
import type { ExtensionNotification } from './extension.interface.js';
import type { Claims } from '../../core/oauth/access-token.js';
import { TokenBuckets } from '../../core/async/rate-limits.js';
import { type ClusterBus, Topic } from '../cluster/cluster-bus.js';
import { nameSharer } from '../sessions/caller-shares.js';
import { NO_EXPIRY } from '../sessions/no-expiry.js';
import { findForwardedSession, type ForwardedSender } from '../sessions/forwarded-sender.js';
import { SESSIONS_CHANGED } from '../sessions/shared/session-change.js';
import { SessionUpdates } from '../sessions/shared/session-updates.js';

/** The notifications that the server itself handles. */
const Notification = {
  initialized: 'notifications/initialized',
  cancelled: 'notifications/cancelled',
  progress: 'notifications/progress',
  rootsChanged: 'notifications/roots/list_changed',
} as const;

const OWN: ReadonlySet<string> = new Set(Object.values(Notification));

interface AddedNotification {
  readonly id: string;
  readonly notification: ExtensionNotification;
}

/** Handles client notifications. Unknown and unexpected ones are dropped (MCP basic). */
export class IncomingNotifications {
  readonly #logger = new Logger('McpNotifications');
  readonly #added = new Map<string, AddedNotification>();

  constructor(
    private readonly sessions: SessionRegistry,
    private readonly settings: ServerSettings,
    private readonly broadcasts: SessionBroadcasts = new SessionBroadcasts(new LocalBus(), sessions),
  ) {
    broadcasts.listen({
      cancel: (session, cancellation) => void cancel(cancellation, session.inFlight),
      forgetRoots,
      notifyExtension: (session, message) => this.#notifyExtension(session, message),
    });
  }

  /** Returns whether a notification has a handler. */
  has(method: string): boolean {
    return OWN.has(method) || this.#added.has(method);
  }

  /** Adds a notification from clients that declared an extension. */
  add(id: string, notification: ExtensionNotification): void {
    this.#added.set(notification.method, { id, notification });
  }

  /** Handles a notification. If this returns a promise, await it before you send the response. */
  handle(
    { method, params }: JsonRpcNotification,
    peer: Peer,
    inFlight: RequestTracker,
  ): Promise<void> | undefined {
    if (method === Notification.initialized) this.#confirm(peer);
    else if (method === Notification.cancelled) this.#cancel(params, peer, inFlight);
    else if (peer instanceof Session) return this.#handle(peer, method, params);
    return undefined;
  }

  #cancel(params: Params = {}, peer: Peer, inFlight: RequestTracker): void {
    const { requestId, reason } = params;
    if (!isRequestId(requestId)) return;
    const text = typeof reason === 'string' ? reason.slice(0, 1000) : 'The client cancelled';
    const cancellation = { requestId, reason: text };
    if (!cancel(cancellation, inFlight) && peer instanceof Session)
      this.broadcasts.cancel(peer, cancellation);
  }

  #handle(session: Session, method: string, params: Params = {}): Promise<void> | undefined {
    if (method === Notification.rootsChanged) return this.#forgetRoots(session);
    if (method === Notification.progress) session.pending.progress(params);
    else {
      const message = { method, params };
      this.#notifyExtension(session, message);
      if (this.#added.get(method)?.notification.everywhere === true) {
        this.broadcasts.notifyExtension(session, message);
      }
    }
    return undefined;
  }

  #forgetRoots(session: Session): Promise<void> | undefined {
    forgetRoots(session);
    return announcesRoots(session.client.capabilities) ? this.broadcasts.changeRoots(session) : undefined;
  }

  #notifyExtension(session: Session, { method, params }: ExtensionMessage): void {
    const added = this.#added.get(method);
    if (added === undefined || !declaresExtension(session.client.capabilities, added.id)) return;
    // Like an extension's methods, its notifications need a token, but there is no response in which to demand one.
    if (this.settings.auth !== undefined && session.claims === undefined) return;
    const subject = { authentication: session, session, method, params };
    const fail = (failure: unknown): void =>
      logFailure(this.#logger, `The extension "${added.id}" failed to handle a notification`, {
        failure,
        subject,
      });
    try {
      Promise.resolve(added.notification.handle(params, session)).catch(fail);
    } catch (error) {
      fail(error);
    }
  }

  #confirm(peer: Peer): void {
    if (peer instanceof Session) this.sessions.confirm(peer);
  }
}

/** Ignores clients that did not declare such notifications. */
function forgetRoots(session: Session): void {
  if (announcesRoots(session.client.capabilities)) session.roots = undefined;
}

/**
 * Cancels a running request, and returns whether there was one. Ids of unknown or finished requests are ignored.
 *
 * @see MCP 2025-11-25 basic/utilities/cancellation
 */
function cancel({ requestId, reason }: Cancellation, inFlight: RequestTracker): boolean {
  const context = inFlight.find(requestId);
  if (context === undefined) return false;
  if (context.method !== 'initialize') context.cancel(reason);
  return true;
}

/** A request's cancellation. */
export interface Cancellation {
  readonly requestId: RequestId;
  readonly reason: string;
}

/** A notification for an extension. */
export interface ExtensionMessage {
  readonly method: string;
  readonly params: Params;
}

interface Sent {
  readonly sender: ForwardedSender;
}

const CANCELLED = new Topic<Sent & Cancellation>('calls.cancelled');
const ROOTS_CHANGED = new Topic<{ readonly session: string }>('sessions.roots-changed');
const EXTENSION_NOTIFIED = new Topic<Sent & ExtensionMessage & { readonly claims?: Claims | undefined }>(
  'sessions.extension-told',
);

/** The maximum length of a request's id. No legitimate client uses a longer one. */
const LONGEST_ID = 4096;

/** The rate limit of broadcasts per caller. Further messages are dropped, because clients cannot rely on them. */
const OF_A_CALLER = { burst: 200, perSecond: 50 };

/** The number of characters that count as one more message. */
const MESSAGE_CHARACTERS = 4096;

/** Handles notifications that clients sent to other processes. */
export interface BroadcastHandlers {
  cancel(session: Session, cancellation: Cancellation): void;
  forgetRoots(session: Session): void;
  notifyExtension(session: Session, message: ExtensionMessage): void;
}

/** Broadcasts a client's notification to the other processes of a server, since each of them may serve its session. */
export class SessionBroadcasts {
  readonly #ofCallers = new TokenBuckets(OF_A_CALLER);

  constructor(
    private readonly bus: ClusterBus,
    private readonly sessions: SessionRegistry,
    private readonly updates: SessionUpdates = new SessionUpdates(bus),
  ) {}

  /** Subscribes to the notifications that clients sent to other processes. */
  listen(handlers: BroadcastHandlers): void {
    if (!this.bus.isShared) return;
    this.bus.on(CANCELLED, ({ sender, ...cancellation }) => {
      const session = findForwardedSession(this.sessions, sender);
      if (session !== undefined) handlers.cancel(session, cancellation);
    });
    const forget = (key: string): void => {
      const session = this.sessions.findByKey(key);
      if (session !== undefined) handlers.forgetRoots(session);
    };
    this.bus.on(ROOTS_CHANGED, ({ session: key }) => forget(key));
    this.bus.on(SESSIONS_CHANGED, ({ roots = [] }) => roots.forEach(forget));
    this.bus.on(EXTENSION_NOTIFIED, ({ sender, claims, method, params }) => {
      const session = findForwardedSession(this.sessions, sender);
      if (session === undefined) return;
      session.claims = claims;
      handlers.notifyExtension(session, { method, params });
    });
  }

  /** Cancels a request that may run in another process. */
  cancel(session: Session, { requestId, reason }: Cancellation): void {
    if (!this.#mayBeRemote(session) || String(requestId).length > LONGEST_ID) return;
    if (!this.#isAllowed(session)) return;
    this.bus.send(CANCELLED, { sender: buildSender(session), requestId, reason });
  }

  /**
   * Broadcasts that a client's roots have changed, so that no process returns cached ones. If this returns a promise,
   * await it before you send the response.
   */
  changeRoots(session: Session): Promise<void> | undefined {
    if (!this.#mayBeRemote(session)) return undefined;
    const collected = this.updates.collectRoots(session);
    if (collected !== undefined) return collected.then(() => this.bus.acknowledged());
    this.bus.publish(ROOTS_CHANGED, { session: session.key });
    return this.bus.acknowledged();
  }

  /** Notifies the extension in other processes. */
  notifyExtension(session: Session, message: ExtensionMessage): void {
    if (!this.#mayBeRemote(session)) return;
    if (!this.#isAllowed(session, JSON.stringify(message.params).length)) return;
    this.bus.send(EXTENSION_NOTIFIED, { sender: buildSender(session), claims: session.claims, ...message });
  }

  #isAllowed(session: Session, characters = 0): boolean {
    return this.#ofCallers.take(nameSharer(session), 1 + Math.floor(characters / MESSAGE_CHARACTERS));
  }

  /** A connection's session is served only by that connection's process. */
  #mayBeRemote({ expires }: Session): boolean {
    return this.bus.isShared && expires !== NO_EXPIRY;
  }
}

function buildSender({ key, identity }: Session): ForwardedSender {
  return { session: key, identity };
}
