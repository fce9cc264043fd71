import { errorMonitor } from 'node:events';
import { parseLinkFailure, type LinkFailure } from './link-failure.js';

/** What tells about events. */
interface Emitter {
  on(event: string | symbol, listener: (...values: unknown[]) => void): unknown;
  off(event: string | symbol, listener: (...values: unknown[]) => void): unknown;
}

/** Clients of several nodes tell apart what their nodes say. A monitor hears of errors, and leaves them to the application. */
const FAILURES = [errorMonitor, 'node-error', 'node error'];

const SUCCESSES = ['ready', 'node-ready'];

/** Tells about the events of a client, to however many, by one listener for each event. */
export class LinkChanges {
  readonly #tells = new Set<() => void>();
  #failure: LinkFailure | undefined;
  #isKeeping = false;

  constructor(
    private readonly emitter: Emitter,
    private readonly events: readonly string[],
  ) {}

  /** Why the connection failed, as far as it was heard since the connection was there. */
  get failure(): LinkFailure | undefined {
    return this.#failure;
  }

  /** Keeps from now on why the connection fails. */
  keepFailures(): void {
    if (this.#isKeeping) return;
    this.#isKeeping = true;
    for (const event of FAILURES) this.emitter.on(event, this.keep);
    for (const event of SUCCESSES) this.emitter.on(event, () => (this.#failure = undefined));
  }

  readonly keep = (error: unknown): void => {
    this.#failure = parseLinkFailure(error) ?? this.#failure;
  };

  add(tell: () => void): () => void {
    if (this.#tells.size === 0) for (const event of this.events) this.emitter.on(event, this.tell);
    this.#tells.add(tell);
    return () => {
      if (!this.#tells.delete(tell) || this.#tells.size > 0) return;
      for (const event of this.events) this.emitter.off(event, this.tell);
    };
  }

  readonly tell = (): void => {
    for (const tell of this.#tells) tell();
  };
}
