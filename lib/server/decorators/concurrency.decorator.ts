import type { ConcurrencyOptions } from '../settings/concurrency-options.interface.js';
import { addAccessMetadata } from './access-metadata.js';

/**
 * Limits how many calls of a handler run at once in this process. On a class, it limits the calls of all its handlers
 * together, except handlers that have their own limit. Handlers with the same options object share one limit.
 *
 * A call above the limit waits in a queue, in which callers take turns. If the queue is full, the call is refused with
 * {@link RateLimitedError}, which says when to call again.
 *
 * @example
 * class ReportTools { @Tool() @Concurrency({ maxPerCaller: 1, max: 4, queue: 20 })
 *   write({ year }: { year: number }) {
 *     return this.reports.write(year);
 *   }
 * }
 */
export function Concurrency(options: ConcurrencyOptions): ClassDecorator & MethodDecorator {
  return addAccessMetadata((present) => ({ ...present, concurrency: options }));
}
