import { formatSuggestion } from '../../core/checks/suggest-names.js';
import { quoteAll } from '../../core/words/words.js';

/**
 * The metadata key of methods that handle servers' input requests. The value describes which requests
 * (`ClientHandlerMetadata[]`).
 */
export const CLIENT_HANDLER_METADATA = 'nestjs-mcp:client-handler';

/** The type that `ExecutionContext.getType()` returns to the guards, pipes, interceptors and filters of these methods. */
export const CLIENT_CONTEXT_TYPE = 'mcp-client';

const CLIENT_TOKEN = 'nestjs-mcp:client:';

/**
 * Returns a client's injection token, for example to inject the client into a factory.
 *
 * @example
 * { provide: Desk, useFactory: (client: McpClient) => new Desk(client), inject: [getMcpClientToken('desk')] }
 */
export function getMcpClientToken(name: string): string {
  named.add(name);
  return CLIENT_TOKEN + name;
}

/** The client names for which a token was requested, to provide the client or to inject it without the decorator. */
const named = new Set<string>();

/**
 * Formats a client's token. Nest shows it if no provider is found, so an unknown name is followed by the known ones.
 */
export function describeClientToken(name: string): string {
  const token = CLIENT_TOKEN + name;
  if (named.has(name)) return token;
  const known = [...named];
  const hint = formatSuggestion(name, known);
  const listed = known.length === 0 ? 'no clients are registered' : `registered clients: ${quoteAll(known)}`;
  return `${token} (no client has this name: ${hint}${listed})`;
}

/** Finds the name of the client that an injection token belongs to. */
export function findClientName(token: unknown): string | undefined {
  const isOfClient = typeof token === 'string' && token.startsWith(CLIENT_TOKEN);
  return isOfClient ? token.slice(CLIENT_TOKEN.length) : undefined;
}

/** Returns the injection token for a client's options, for options from other providers. */
export function getMcpClientOptionsToken(name: string): string {
  return `nestjs-mcp:client-options:${name}`;
}
