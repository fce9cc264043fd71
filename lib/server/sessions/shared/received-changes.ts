import { parsePosition } from '../../cluster/position.js';
import type { ClusterBus, Delivery } from '../../cluster/cluster-bus.js';
import type { ClusterPosition } from '../../settings/cluster/cluster.interface.js';
import type { SessionRegistry } from '../session-registry.js';
import type { Session } from '../session.js';
import { SubscriptionLimitError } from '../subscription-limit.error.js';
import { orderByPosition } from './late-subscriptions.js';
import type { SessionChange } from './session-change.js';
import { buildSubscriptionField, SessionField, type SessionRecord } from './session-record.js';

/**
 * The outcome of another process's change. `too much`: it exceeds a limit, so the session must be read from its
 * record. `older`: a newer change has replaced parts of it.
 */
export type ChangeOutcome = 'made' | 'too much' | 'older';

/** Applies other processes' changes to this process's sessions. */
export class ReceivedChanges {
  constructor(
    private readonly registry: SessionRegistry,
    private readonly bus: Pick<ClusterBus, 'position'>,
  ) {}

  /** Applies a published change, except settings with a newer known version. */
  apply(change: SessionChange, { position, name }: Delivery): ChangeOutcome {
    const {
      key,
      subscribed = [],
      unsubscribed = [],
      since = {},
      level,
      owner,
      lists,
      ended,
      versions = {},
    } = change;
    if (ended !== undefined) {
      this.registry.endHere(key, ended, 'The session was ended in another process');
      return 'made';
    }
    const session = this.registry.findByKey(key);
    if (session?.shared === undefined) return 'made';
    const { shared } = session;
    let isOlder = false;
    const counts = (field: string): boolean => {
      const version = versions[field] ?? shared.versions.find(field);
      const isNewest = shared.versions.note(field, version, name?.member);
      if (isNewest && position !== undefined) shared.versions.setLogged(field);
      if (!isNewest && shared.versions.isLogged(field)) isOlder = true;
      return isNewest;
    };
    if (level !== undefined && counts(SessionField.level)) session.setLogLevel(level);
    for (const uri of unsubscribed) if (counts(buildSubscriptionField(uri))) this.unsubscribe(session, uri);
    noteOwner(session, owner);
    shared.noteLists(lists);
    const wanted = subscribed.filter((uri) => counts(buildSubscriptionField(uri)));
    if (!wanted.every((uri) => this.#tryToSubscribe(session, uri, parsePosition(since[uri]) ?? position)))
      return 'too much';
    return isOlder ? 'older' : 'made';
  }

  /** Applies a record, except settings with a newer known version. Returns whether there were none of these. */
  applyRecord(session: Session, record: SessionRecord): boolean {
    const { owner, level, standing, subscriptions, versions, unsubscribed } = record;
    const { shared } = session;
    if (shared === undefined) return true;
    noteOwner(session, owner);
    shared.standing = standing;
    let isNewest = true;
    const counts = (field: string): boolean => {
      const isNew = shared.versions.note(field, versions.get(field) ?? 0);
      if (isNew) shared.versions.setLogged(field);
      else if (shared.versions.isLogged(field)) isNewest = false;
      return isNew;
    };
    if (counts(SessionField.level) && level !== undefined) session.setLogLevel(level);
    // This process's copy of the session may be old and have missed changes.
    for (const uri of session.subscriptions) {
      if (subscriptions.has(uri)) continue;
      const field = buildSubscriptionField(uri);
      if (shared.versions.note(field, unsubscribed)) this.unsubscribe(session, uri);
      else if (shared.versions.isLogged(field)) isNewest = false;
    }
    try {
      for (const uri of orderByPosition(subscriptions)) {
        if (counts(buildSubscriptionField(uri))) this.subscribe(session, uri, subscriptions.get(uri));
      }
    } catch (error) {
      // Several processes accepted subscriptions concurrently. One of them is about to remove the excess.
      if (error instanceof SubscriptionLimitError) return isNewest;
      session.evict();
      throw error;
    }
    return isNewest;
  }

  /**
   * Subscribes a session.
   *
   * @throws {SubscriptionLimitError} if the session has reached its limit on subscriptions, or on characters in them
   */
  subscribe(session: Session, uri: string, position: ClusterPosition | undefined): void {
    this.registry.subscribe(session, uri, position);
    session.shared?.versions.setEnded(buildSubscriptionField(uri), false);
  }

  /** Ends a subscription, and records that it has ended. */
  unsubscribe(session: Session, uri: string): void {
    this.registry.unsubscribe(session, uri);
    session.shared?.versions.setEnded(buildSubscriptionField(uri), true);
  }

  /**
   * The subscribing process had room for it. The end of another subscription may not have reached this process yet.
   */
  #tryToSubscribe(session: Session, uri: string, position: ClusterPosition | undefined): boolean {
    try {
      this.subscribe(session, uri, position ?? this.bus.position);
    } catch (error) {
      if (error instanceof SubscriptionLimitError) return false;
      session.evict();
    }
    return true;
  }
}

/** Sets a session's owner, which never changes afterwards. Disconnects the earlier, anonymous holder. */
function noteOwner(session: Session, owner: string | undefined): void {
  const { shared, identity } = session;
  if (shared === undefined || owner === undefined || shared.owner === owner) return;
  shared.owner = owner;
  if (identity !== owner) session.passOver();
}
