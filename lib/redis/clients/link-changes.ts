import { errorMonitor } from 'node:events';
import { parseLinkFailure, type LinkFailure } from './redis-link.js';

/** A source of events. */
interface Emitter {
  on(event: string | symbol, listener: (...values: unknown[]) => void): unknown;
  off(event: string | symbol, listener: (...values: unknown[]) => void): unknown;
}

/**
 * Events about failures. Clients with several nodes have separate events for node errors. `errorMonitor` leaves
 * errors to the application.
 */
const FAILURES = [errorMonitor, 'node-error', 'node error'];

const SUCCESSES = ['ready', 'node-ready'];

/**
 * The instance for each client. One client may serve many servers and stores, and Node warns about more than ten
 * listeners for one event.
 */
const OF_CLIENTS = new WeakMap<Emitter, LinkChanges>();

/** Notifies any number of listeners about a client's events, with one listener per event on the client itself. */
export class LinkChanges {
  readonly #listeners = new Set<() => void>();
  readonly #recorders = new Set<symbol>();
  #failure: LinkFailure | undefined;

  private constructor(
    private readonly emitter: Emitter,
    private readonly events: readonly string[],
  ) {}

  /** Returns a client's shared instance. */
  static of(client: Emitter, events: readonly string[]): LinkChanges {
    const changes = OF_CLIENTS.get(client) ?? new LinkChanges(client, events);
    OF_CLIENTS.set(client, changes);
    return changes;
  }

  /** Why the connection last failed. Absent while failures are not recorded, and while there is a connection. */
  get failure(): LinkFailure | undefined {
    return this.#failure;
  }

  /** Starts to record why the connection fails. Returns a function that stops recording. */
  recordFailures(): () => void {
    const recorder = Symbol('recorder');
    if (this.#recorders.size === 0) this.#listen('on');
    this.#recorders.add(recorder);
    return () => {
      if (!this.#recorders.delete(recorder) || this.#recorders.size > 0) return;
      this.#listen('off');
      this.#forget();
    };
  }

  readonly record = (error: unknown): void => {
    this.#failure = parseLinkFailure(error) ?? this.#failure;
  };

  add(listener: () => void): () => void {
    if (this.#listeners.size === 0) for (const event of this.events) this.emitter.on(event, this.notify);
    this.#listeners.add(listener);
    return () => {
      if (!this.#listeners.delete(listener) || this.#listeners.size > 0) return;
      for (const event of this.events) this.emitter.off(event, this.notify);
    };
  }

  readonly notify = (): void => {
    for (const listener of this.#listeners) listener();
  };

  readonly #forget = (): void => {
    this.#failure = undefined;
  };

  #listen(method: 'on' | 'off'): void {
    for (const event of FAILURES) this.emitter[method](event, this.record);
    for (const event of SUCCESSES) this.emitter[method](event, this.#forget);
  }
}
