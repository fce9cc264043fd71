import type { ResourceOptions } from '../settings/handler-options.interface.js';
import { addHandlerMetadata } from './handler-metadata.js';

/**
 * Makes a provider's method a resource.
 *
 * It is called with `{ uri }` and the context. It returns text, an object (JSON), bytes, a stream, full contents, or a
 * promise or an Observable of these; the last value of an Observable counts.
 *
 * @throws {TypeError} if it does not stand on an instance method
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
