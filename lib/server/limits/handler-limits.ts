import { Injectable } from '@nestjs/common';
import type { CatalogueEntry } from '../catalogue/entries.js';
import type { RequestContext } from '../context/request-context.js';
import type { HandlerKind } from '../decorators/handler-metadata.js';
import { assertWanted } from './concurrency/assert-wanted.js';
import { ConcurrencyLimits } from './concurrency/concurrency-limits.js';
import { Throttling, type Attempt } from './throttler/throttling.js';

/** What stands before the handlers of a server: how often they may be called, and how many calls may run at once. */
@Injectable()
export class HandlerLimits {
  constructor(
    private readonly throttling: Throttling,
    private readonly concurrency: ConcurrencyLimits,
  ) {}

  /** Whether calls are counted. */
  get areCounted(): boolean {
    return this.throttling.isOn;
  }

  /**
   * Counts a call, before anything is done for it.
   *
   * @throws {RateLimitedError} if it is one too many
   */
  async admit(kind: HandlerKind, entry: CatalogueEntry, attempt: Attempt): Promise<void> {
    await this.throttling.admit(kind, entry, attempt);
    // A storage elsewhere takes its time.
    assertWanted(attempt.context);
  }

  /**
   * Runs a handler, with a limit as soon as there is a place for the call.
   *
   * @throws {RateLimitedError} if there is none
   */
  run<Value>(
    entry: CatalogueEntry,
    context: RequestContext,
    act: () => Value | Promise<Value>,
  ): Value | Promise<Value> {
    return this.concurrency.run(entry, context, act);
  }
}
