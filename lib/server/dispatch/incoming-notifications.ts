import { Logger } from '../../core/logger/logger.js';
import { announcesRoots, declaresExtension } from '../../core/protocol/capabilities.js';
import { isRequestId, type JsonRpcNotification, type Params } from '../../core/protocol/json-rpc.js';
import type { Peer } from '../context/peer.interface.js';
import type { RequestTracker } from '../sessions/in-flight-requests.js';
import type { SessionRegistry } from '../sessions/session-registry.js';
import { Session } from '../sessions/session.js';
import { logFailure } from '../log/log-failure.js';
import { LocalBus } from '../cluster/local-bus.js';
import type { ServerSettings } from '../settings/server-settings.js';
import type { ExtensionNotification } from './extension.interface.js';
import { SessionBroadcasts, type Cancellation, type ExtensionTelling } from './session-broadcasts.js';

/** The notifications that the server itself handles. */
const Told = {
  initialized: 'notifications/initialized',
  cancelled: 'notifications/cancelled',
  progress: 'notifications/progress',
  rootsChanged: 'notifications/roots/list_changed',
} as const;

const OWN: ReadonlySet<string> = new Set(Object.values(Told));

interface AddedNotification {
  readonly id: string;
  readonly notification: ExtensionNotification;
}

/** Notifications of clients. An unknown or unexpected one is dropped (MCP basic). */
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
      tellExtension: (session, telling) => this.#tellExtension(session, telling),
    });
  }

  /** Tells whether somebody listens to a notification of a name. */
  has(method: string): boolean {
    return OWN.has(method) || this.#added.has(method);
  }

  /** Adds a notification of clients that declared an extension. */
  add(id: string, notification: ExtensionNotification): void {
    this.#added.set(notification.method, { id, notification });
  }

  /** Handles a notification. Returns a promise that the client's answer must wait for, if there is one. */
  handle(
    { method, params }: JsonRpcNotification,
    peer: Peer,
    inFlight: RequestTracker,
  ): Promise<void> | undefined {
    if (method === Told.initialized) this.#confirm(peer);
    else if (method === Told.cancelled) this.#cancel(params, peer, inFlight);
    else if (peer instanceof Session) return this.#tell(peer, method, params);
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

  #tell(session: Session, method: string, params: Params = {}): Promise<void> | undefined {
    if (method === Told.rootsChanged) return this.#forgetRoots(session);
    if (method === Told.progress) session.pending.progress(params);
    else {
      const telling = { method, params };
      this.#tellExtension(session, telling);
      if (this.#added.get(method)?.notification.everywhere === true) {
        this.broadcasts.tellExtension(session, telling);
      }
    }
    return undefined;
  }

  #forgetRoots(session: Session): Promise<void> | undefined {
    forgetRoots(session);
    return announcesRoots(session.client.capabilities) ? this.broadcasts.changeRoots(session) : undefined;
  }

  #tellExtension(session: Session, { method, params }: ExtensionTelling): void {
    const added = this.#added.get(method);
    if (added === undefined || !declaresExtension(session.client.capabilities, added.id)) return;
    // As an extension's methods need a token, so do its notifications; there is no answer to ask for one.
    if (this.settings.auth !== undefined && session.claims === undefined) return;
    const subject = { authentication: session, session, method, params };
    const fail = (failure: unknown): void =>
      logFailure(this.#logger, `The extension "${added.id}" failed on a notification`, { failure, subject });
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

/** A client that did not declare that it announces changes is not heard. */
function forgetRoots(session: Session): void {
  if (announcesRoots(session.client.capabilities)) session.roots = undefined;
}

/**
 * Cancels a running request, and tells whether there was one. An unknown or answered id is ignored.
 *
 * @see MCP 2025-11-25 basic/utilities/cancellation
 */
function cancel({ requestId, reason }: Cancellation, inFlight: RequestTracker): boolean {
  const context = inFlight.find(requestId);
  if (context === undefined) return false;
  if (context.method !== 'initialize') context.cancel(reason);
  return true;
}
