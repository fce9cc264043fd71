import type { CompleteOptions } from '../settings/handler-options.interface.js';
import { addHandlerMetadata } from './handler-metadata.js';

/**
 * Makes a provider's method suggest values for an argument of a prompt or a variable of a resource template. One method
 * may complete several.
 *
 * The method is called with `{ value, name, arguments }` and the context. It returns the values, `{ values, total, hasMore }`,
 * or a promise or an Observable of these. Of an Observable, the last value counts.
 *
 * @throws {TypeError} if it is on anything except an instance method
 * @example
 * class TicketCompletions { @Complete({ resourceTemplate: 'ticket://{id}', argument: 'id' })
 *   completeId({ value }: { value: string }): Promise<string[]> {
 *     return this.tickets.findIds({ startingWith: value });
 *   }
 * }
 *
 * @see MCP server/utilities/completion
 */
export function Complete(options: CompleteOptions): MethodDecorator {
  return addHandlerMetadata({ kind: 'completion', options });
}
