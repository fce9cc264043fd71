/** The subscribers of each resource. Most resources have one, and storing it without a set needs a third of the memory. */
export class ResourceSubscribers<Subscriber extends object> {
  readonly #subscribers = new Map<string, Subscriber | Set<Subscriber>>();

  get(uri: string): Iterable<Subscriber> {
    const subscribers = this.#subscribers.get(uri);
    if (subscribers === undefined) return [];
    return subscribers instanceof Set ? subscribers : [subscribers];
  }

  /** Returns the resources that have subscribers. */
  list(): readonly string[] {
    return [...this.#subscribers.keys()];
  }

  add(uri: string, subscriber: Subscriber): void {
    const subscribers = this.#subscribers.get(uri);
    if (subscribers === undefined) this.#subscribers.set(uri, subscriber);
    else if (subscribers instanceof Set) subscribers.add(subscriber);
    else if (subscribers !== subscriber) this.#subscribers.set(uri, new Set([subscribers, subscriber]));
  }

  remove(uri: string, subscriber: Subscriber): void {
    const subscribers = this.#subscribers.get(uri);
    if (subscribers === subscriber) this.#subscribers.delete(uri);
    if (!(subscribers instanceof Set)) return;
    subscribers.delete(subscriber);
    if (subscribers.size === 0) this.#subscribers.delete(uri);
  }
}
