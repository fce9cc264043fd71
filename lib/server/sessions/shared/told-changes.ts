import type { Relay } from '../../relay/relay.js';
import type { ClusterPosition } from '../../settings/cluster/cluster.interface.js';
import type { SessionRegistry } from '../session-registry.js';
import type { Session } from '../session.js';
import { SubscriptionLimitError } from '../subscription-limit.error.js';
import { orderByPosition } from './late-subscriptions.js';
import type { SessionChange } from './session-change.js';
import type { SessionRecord } from './session-record.js';

/** Makes sessions of this process what others say that they are. */
export class ToldChanges {
  constructor(
    private readonly registry: SessionRegistry,
    private readonly relay: Pick<Relay, 'position'>,
  ) {}

  /**
   * Makes one change that was told.
   *
   * @returns whether there was room for it: if not, the record of the session says what it comes to
   */
  make(change: SessionChange, position: ClusterPosition | undefined): boolean {
    const { key, subscribed = [], unsubscribed = [], level, owner, ended } = change;
    if (ended !== undefined) {
      this.registry.endHere(key, ended, 'The session was ended elsewhere');
      return true;
    }
    const session = this.registry.findByKey(key);
    if (session?.shared === undefined) return true;
    if (level !== undefined) session.setLogLevel(level);
    for (const uri of unsubscribed) this.registry.unsubscribe(session, uri);
    noteOwner(session, owner);
    return subscribed.every((uri) => this.#subscribe(session, uri, position));
  }

  /** Makes a session what its record says. */
  adopt(session: Session, { owner, level, standing, subscriptions }: SessionRecord): void {
    const { shared } = session;
    if (shared === undefined) return;
    noteOwner(session, owner);
    shared.standing = standing;
    if (level !== undefined) session.setLogLevel(level);
    // It may have been known here for long, and its changes not.
    for (const uri of session.subscriptions)
      if (!subscriptions.has(uri)) this.registry.unsubscribe(session, uri);
    try {
      for (const uri of orderByPosition(subscriptions)) {
        this.registry.subscribe(session, uri, subscriptions.get(uri));
      }
    } catch (error) {
      // What several processes took at once, and is too much, is on its way out of the record.
      if (error instanceof SubscriptionLimitError) return;
      session.giveUp();
      throw error;
    }
  }

  /** The session has a place for it where it was subscribed. What ended there to make room may not be told here yet. */
  #subscribe(session: Session, uri: string, position: ClusterPosition | undefined): boolean {
    try {
      this.registry.subscribe(session, uri, position ?? this.relay.position);
    } catch (error) {
      if (error instanceof SubscriptionLimitError) return false;
      session.giveUp();
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
