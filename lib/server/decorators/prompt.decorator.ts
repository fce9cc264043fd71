import type { PromptOptions } from '../settings/handler-options.interface.js';
import { addHandlerMetadata } from './handler-metadata.js';

/**
 * Makes a provider's method a prompt.
 *
 * It is called with the arguments and the context. It returns text, one message, several, a full result, or a promise or
 * an Observable of these; the last value of an Observable counts.
 *
 * @throws {TypeError} if it does not stand on an instance method
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
