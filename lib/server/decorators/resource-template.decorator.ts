import type { ResourceTemplateOptions } from '../settings/handler-options.interface.js';
import { addHandlerMetadata } from './handler-metadata.js';

/**
 * Makes a provider's method serve the resources whose URIs match a template.
 *
 * The method is called with `{ uri, ...variables }` and the context. It returns the same as a method with
 * `@Resource()`.
 *
 * @throws {TypeError} if it is on anything except an instance method
 * @example
 * class TicketResources { @ResourceTemplate({ uriTemplate: 'ticket://{id}', mimeType: 'application/json' })
 *   readTicket({ id }: { id: string }): Promise<Ticket> {
 *     return this.tickets.get(id);
 *   }
 * }
 *
 * @see MCP server/resources, "Resource Templates"; RFC 6570
 */
export function ResourceTemplate(options: ResourceTemplateOptions): MethodDecorator {
  return addHandlerMetadata({ kind: 'resourceTemplate', options });
}
