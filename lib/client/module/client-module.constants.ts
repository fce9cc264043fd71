import { formatSuggestion } from '../../core/checks/suggest-names.js';
import { quoteAll } from '../../core/words/words.js';

/**
 * The metadata key of methods that handle input requests of servers. The value describes which
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

/** The names whose token was requested, to provide a client or to inject it without the decorator. */
const named = new Set<string>();

/**
 * Formats the token of a client. Nest shows it if no provider is found, so an unknown name is followed by the known
 * ones.
 */
export function describeClientToken(name: string): string {
  const token = CLIENT_TOKEN + name;
  if (named.has(name)) return token;
  const known = [...named];
  const hint = formatSuggestion(name, known);
  const listed = known.length === 0 ? 'none is registered' : `there is ${quoteAll(known)}`;
  return `${token} (no client has this name: ${hint}${listed})`;
}

/** Finds the name of a client by its injection token. */
export function findClientName(token: unknown): string | undefined {
  const isOfClient = typeof token === 'string' && token.startsWith(CLIENT_TOKEN);
  return isOfClient ? token.slice(CLIENT_TOKEN.length) : undefined;
}

/** Returns the injection token of a client's options, for options from other providers. */
export function getMcpClientOptionsToken(name: string): string {
  return `nestjs-mcp:client-options:${name}`;
}
