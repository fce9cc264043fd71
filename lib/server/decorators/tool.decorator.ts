import type { ToolOptions } from '../settings/handler-options.interface.js';
import { addHandlerMetadata } from './handler-metadata.js';

/**
 * Makes a provider's method a tool.
 *
 * The method is called with the validated arguments and the context. It returns text, content, a full result, a plain object
 * (structured content), or a promise or an Observable of these. Of an Observable, the last value counts.
 *
 * @throws {TypeError} if it is on anything except an instance method
 * @example
 * class TicketTools { @Tool({ description: 'Closes a ticket by its number', inputSchema: z.object({ id: z.number() }) })
 *   async close({ id }: { id: number }): Promise<string> {
 *     await this.tickets.close(id);
 *     return `Ticket ${id} is closed`;
 *   }
 * }
 *
 * @see MCP server/tools
 */
export function Tool(options: ToolOptions = {}): MethodDecorator {
  return addHandlerMetadata({ kind: 'tool', options });
}
