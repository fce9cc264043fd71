import type { CatalogEntry } from '../catalog/entries.js';
import { nameCaller } from '../context/caller-identity.js';
import type { RequestContext } from '../context/request-context.js';
import type { HandlerKind } from '../decorators/handler-metadata.js';
import type { ConcurrencyOptions } from '../settings/handler-options.interface.js';
import { assertActive, ConcurrencySlots } from './concurrency-slots.js';
import type { Throttling, Attempt } from './throttling.js';

/**
 * What stands before the handlers of a server: how often they may be called, and how many calls may run at once in this
 * process.
 */
export class HandlerLimits {
  /** The places of handlers that share a limit are found by that. */
  readonly #places = new WeakMap<ConcurrencyOptions, ConcurrencySlots>();

  constructor(private readonly throttling: Throttling) {}

  /** Whether calls are counted. */
  get isCounting(): boolean {
    return this.throttling.isOn;
  }

  /**
   * Counts a call, before anything is done for it.
   *
   * @throws {RateLimitedError} if it is one too many
   */
  async admit(kind: HandlerKind, entry: CatalogEntry, attempt: Attempt): Promise<void> {
    await this.throttling.admit(kind, entry, attempt);
    // A storage elsewhere takes its time.
    assertActive(attempt.context);
  }

  /**
   * Runs a handler, with a limit as soon as there is a place for the call.
   *
   * @throws {RateLimitedError} if it finds no place, or has waited for one too long
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
