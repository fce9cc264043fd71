import { askWhetherMeant } from '../../core/checks/suggest-option.js';
import { quoteAll } from '../../core/words/quote-all.js';

/**
 * The metadata key of a method that answers questions of servers. The value says which questions
 * (`ClientHandlerMetadata[]`).
 */
export const CLIENT_HANDLER_METADATA = 'nestjs-mcp:client-handler';

/** The type that `ExecutionContext.getType()` returns to the guards, pipes, interceptors and filters of these methods. */
export const CLIENT_CONTEXT_TYPE = 'mcp-client';

const CLIENT_TOKEN = 'nestjs-mcp:client:';

/**
 * Returns the injection token of a client, for example to inject the client into a factory.
 *
 * @example
 * { provide: Desk, useFactory: (client: McpClient) => new Desk(client), inject: [getMcpClientToken('desk')] }
 */
export function getMcpClientToken(name: string): string {
  named.add(name);
  return CLIENT_TOKEN + name;
}

/** The names that a token was asked for, to provide a client or to inject it without the decorator. */
const named = new Set<string>();

/**
 * Describes the token of a client for Nest, which shows it if nothing provides it: a name that nothing knows has the known ones
 * beside it.
 */
export function describeClientToken(name: string): string {
  const token = CLIENT_TOKEN + name;
  if (named.has(name)) return token;
  const known = [...named];
  const hint = askWhetherMeant(name, known);
  const listed = known.length === 0 ? 'none is registered' : `there is ${quoteAll(known)}`;
  return `${token} (no client has this name: ${hint}${listed})`;
}

/** Finds the name of a client by its injection token. */
export function findClientName(token: unknown): string | undefined {
  const isOfClient = typeof token === 'string' && token.startsWith(CLIENT_TOKEN);
  return isOfClient ? token.slice(CLIENT_TOKEN.length) : undefined;
}

/** Returns the injection token of a client's options, if these come from other providers. */
export function getMcpClientOptionsToken(name: string): string {
  return `nestjs-mcp:client-options:${name}`;
}
