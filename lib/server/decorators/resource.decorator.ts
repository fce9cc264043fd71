import type { ResourceOptions } from '../settings/handler-options.interface.js';
import { addHandlerMetadata } from './handler-metadata.js';

/**
 * Makes a provider's method a resource.
 *
 * The method is called with `{ uri }` and the context. It returns text, an object (JSON), bytes, a stream, full contents, or a
 * promise or an Observable of these. Of an Observable, the last value counts.
 *
 * @throws {TypeError} if it is on anything except an instance method
 * @example
 * class TicketResources { @Resource({ uri: 'desk://open', description: 'All open tickets' })
 *   readOpen(): Promise<Ticket[]> {
 *     return this.tickets.findOpen();
 *   }
 * }
 *
 * @see MCP server/resources
 */
export function Resource(options: ResourceOptions): MethodDecorator {
  return addHandlerMetadata({ kind: 'resource', options });
}
