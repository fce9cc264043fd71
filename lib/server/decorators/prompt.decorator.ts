import type { PromptOptions } from '../settings/handler-options.interface.js';
import { addHandlerMetadata } from './handler-metadata.js';

/**
 * Makes a provider's method a prompt.
 *
 * The method is called with the arguments and the context. It returns text, one message, several, a full result, or a promise
 * or an Observable of these. Of an Observable, the last value counts.
 *
 * @throws {TypeError} if it is on anything except an instance method
 * @example
 * class TicketPrompts { @Prompt({ description: 'Answers a ticket', arguments: [{ name: 'id', required: true }] })
 *   async answer({ id }: { id: string }): Promise<string> {
 *     return `Answer this ticket: ${await this.tickets.describe(id)}`;
 *   }
 * }
 *
 * @see MCP server/prompts
 */
export function Prompt(options: PromptOptions = {}): MethodDecorator {
  return addHandlerMetadata({ kind: 'prompt', options });
}
