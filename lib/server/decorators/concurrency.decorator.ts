import type { ConcurrencyOptions } from '../settings/concurrency-options.interface.js';
import { addAccessMetadata } from './access-metadata.js';

/**
 * Limits how many calls of a handler run at once in this process. On a class it limits the calls of all its handlers together; a handler with
 * its own limit is not among them. Handlers with the same object share its places.
 *
 * A call without a place waits in the queue, in which callers take turns, or is refused with {@link RateLimitedError}, which says when
 * to call again.
 *
 * @example
 * class ReportTools { @Tool() @Concurrency({ perCaller: 1, total: 4, queue: 20 })
 *   write({ year }: { year: number }) {
 *     return this.reports.write(year);
 *   }
 * }
 */
export function Concurrency(options: ConcurrencyOptions): ClassDecorator & MethodDecorator {
  return addAccessMetadata((present) => ({ ...present, concurrency: options }));
}
