import { Subject } from 'rxjs';

/** A resource gets its first subscriber in this process, or loses its last one. */
export interface ResourceSubscriptionEvent {
  readonly type: 'subscribed' | 'unsubscribed';
  /** The URI of the resource, in normal form. */
  readonly uri: string;
}

/** Each resource's subscribers. Most resources have one, and storing it without a set takes a third of the memory. */
export class ResourceSubscribers<Subscriber extends object> {
  readonly #subscribers = new Map<string, Subscriber | Set<Subscriber>>();
  readonly #events = new Subject<ResourceSubscriptionEvent>();
  /** Emits when a resource gets its first subscriber, and when it loses its last one. */
  readonly events$ = this.#events.asObservable();

  get(uri: string): Iterable<Subscriber> {
    const subscribers = this.#subscribers.get(uri);
    if (subscribers === undefined) return [];
    return subscribers instanceof Set ? subscribers : [subscribers];
  }

  has(uri: string): boolean {
    return this.#subscribers.has(uri);
  }

  /** Returns the resources that have subscribers. */
  list(): readonly string[] {
    return [...this.#subscribers.keys()];
  }

  add(uri: string, subscriber: Subscriber): void {
    const subscribers = this.#subscribers.get(uri);
    if (subscribers instanceof Set) subscribers.add(subscriber);
    else if (subscribers === undefined) {
      this.#subscribers.set(uri, subscriber);
      this.#events.next({ type: 'subscribed', uri });
    } else if (subscribers !== subscriber) this.#subscribers.set(uri, new Set([subscribers, subscriber]));
  }

  remove(uri: string, subscriber: Subscriber): void {
    const subscribers = this.#subscribers.get(uri);
    if (subscribers instanceof Set) {
      subscribers.delete(subscriber);
      if (subscribers.size > 0) return;
    } else if (subscribers !== subscriber) return;
    this.#subscribers.delete(uri);
    this.#events.next({ type: 'unsubscribed', uri });
  }
}
