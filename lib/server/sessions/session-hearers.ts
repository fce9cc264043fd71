import { ResourceSubscribers } from './resource-subscribers.js';
import type { Session } from './session.js';

/** The sessions to inform about changes in this process, by their subscriptions. */
export class SessionHearers {
  readonly #sessions = new Set<Session>();
  readonly #subscribers = new ResourceSubscribers<Session>();

  /** @param sessions every session of the process. If it keeps the pending messages of each, all get them */
  constructor(private readonly sessions?: ReadonlyMap<string, Session>) {}

  all(): Iterable<Session> {
    return this.sessions?.values() ?? this.#sessions;
  }

  /** Gives those that are subscribed to a resource. */
  subscribers(uri: string): Iterable<Session> {
    return this.#subscribers.get(uri);
  }

  /** Begins to tell a session. */
  add(session: Session): void {
    if (this.has(session)) return;
    this.#sessions.add(session);
    for (const uri of session.subscriptions) this.#subscribers.add(uri, session);
  }

  remove(session: Session): void {
    this.#sessions.delete(session);
    for (const uri of session.subscriptions) this.#subscribers.remove(uri, session);
  }

  /** Notes the subscriptions of a session. */
  subscribe(session: Session, uri: string): void {
    if (this.has(session)) this.#subscribers.add(uri, session);
  }

  unsubscribe(session: Session, uri: string): void {
    this.#subscribers.remove(uri, session);
  }

  has(session: Session): boolean {
    return this.sessions !== undefined || this.#sessions.has(session);
  }
}
