import type { CatalogEntry } from '../catalog/entries.js';
import { nameCaller } from '../context/caller-identity.js';
import type { RequestContext } from '../context/request-context.js';
import type { HandlerKind } from '../decorators/handler-metadata.js';
import type { ConcurrencyOptions } from '../settings/handler-options.interface.js';
import { assertActive, ConcurrencySlots } from './concurrency-slots.js';
import type { Throttling, Attempt } from './throttling.js';

/**
 * The limits on a server's handlers: how often they may be called, and how many calls run concurrently in this
 * process.
 */
export class HandlerLimits {
  /** Handlers that share a limit's options share its slots. */
  readonly #places = new WeakMap<ConcurrencyOptions, ConcurrencySlots>();

  constructor(private readonly throttling: Throttling) {}

  /** Whether calls are counted. */
  get isCounting(): boolean {
    return this.throttling.isOn;
  }

  /**
   * Counts a call before any work is done for it.
   *
   * @throws {RateLimitedError} if the call exceeds a limit
   */
  async admit(kind: HandlerKind, entry: CatalogEntry, attempt: Attempt): Promise<void> {
    await this.throttling.admit(kind, entry, attempt);
    // The call may have ended while an external storage counted it.
    assertActive(attempt.context);
  }

  /**
   * Runs a handler. If its concurrency is limited, waits for a slot first.
   *
   * @throws {RateLimitedError} if the queue is full, or no slot became free in time
   */
  run<Value>(
    { concurrency }: Pick<CatalogEntry, 'concurrency'>,
    context: RequestContext,
    act: () => Value | Promise<Value>,
  ): Value | Promise<Value> {
    if (concurrency === undefined) return act();
    return this.#getPlaces(concurrency).run(nameCaller(context), context, act);
  }

  #getPlaces(concurrency: ConcurrencyOptions): ConcurrencySlots {
    const present = this.#places.get(concurrency);
    if (present !== undefined) return present;
    const places = new ConcurrencySlots(concurrency);
    this.#places.set(concurrency, places);
    return places;
  }
}
