import { Injectable } from '@nestjs/common';
import type { CatalogueEntry } from '../../catalogue/entries.js';
import { nameCaller } from '../../context/name-caller.js';
import type { RequestContext } from '../../context/request-context.js';
import type { ConcurrencyOptions } from '../../settings/concurrency-options.interface.js';
import { CallPlaces } from './call-places.js';

/** Limits how many calls of handlers run at once in this process. */
@Injectable()
export class ConcurrencyLimits {
  /** The places of handlers that share a limit are found by that. */
  readonly #places = new WeakMap<ConcurrencyOptions, CallPlaces>();

  /**
   * Runs a call, if it has a limit as soon as it has a place.
   *
   * @throws {RateLimitedError} if it finds no place, or has waited for one too long
   */
  run<Value>(
    { concurrency }: Pick<CatalogueEntry, 'concurrency'>,
    context: RequestContext,
    act: () => Value | Promise<Value>,
  ): Value | Promise<Value> {
    if (concurrency === undefined) return act();
    return this.#getPlaces(concurrency).run(nameCaller(context), context, act);
  }

  #getPlaces(concurrency: ConcurrencyOptions): CallPlaces {
    const present = this.#places.get(concurrency);
    if (present !== undefined) return present;
    const places = new CallPlaces(concurrency);
    this.#places.set(concurrency, places);
    return places;
  }
}
