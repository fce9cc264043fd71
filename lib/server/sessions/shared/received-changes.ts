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
 * What becomes of a change that was told. If it is too much, there was no room for it, and the record of the session says what
 * it comes to. If it is older, some of it was changed again since.
 */
export type ChangeOutcome = 'made' | 'too much' | 'older';

/** Makes sessions of this process what others say that they are. */
export class ReceivedChanges {
  constructor(
    private readonly registry: SessionRegistry,
    private readonly bus: Pick<ClusterBus, 'position'>,
  ) {}

  /** Makes one change that was told, as far as nothing newer is known. */
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
      this.registry.endHere(key, ended, 'The session was ended elsewhere');
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

  /** Makes a session what its record says, as far as nothing newer is known. Returns whether that is so for all of it. */
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
    // It may have been known here for long, and its changes not.
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
      // What several processes took at once, and is too much, is on its way out of the record.
      if (error instanceof SubscriptionLimitError) return isNewest;
      session.evict();
      throw error;
    }
    return isNewest;
  }

  /**
   * Subscribes a session.
   *
   * @throws {SubscriptionLimitError} if the session has as many as it may, or as many characters in them
   */
  subscribe(session: Session, uri: string, position: ClusterPosition | undefined): void {
    this.registry.subscribe(session, uri, position);
    session.shared?.versions.setEnded(buildSubscriptionField(uri), false);
  }

  /** Ends a subscription of a session, and remembers that it has ended. */
  unsubscribe(session: Session, uri: string): void {
    this.registry.unsubscribe(session, uri);
    session.shared?.versions.setEnded(buildSubscriptionField(uri), true);
  }

  /** The session has a place for it where it was subscribed. What ended there to make room may not be told here yet. */
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

/** A session gets its owner once. An earlier holder gets no more messages about it. */
function noteOwner(session: Session, owner: string | undefined): void {
  const { shared, identity } = session;
  if (shared === undefined || owner === undefined || shared.owner === owner) return;
  shared.owner = owner;
  if (identity !== owner) session.passOver();
}
