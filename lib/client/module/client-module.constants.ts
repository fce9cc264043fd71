/** The metadata key under which a method keeps which questions of servers it answers (`ClientHandlerMetadata[]`). */
export const CLIENT_HANDLER_METADATA = 'nestjs-mcp:client-handler';

/** The context type that guards, pipes, interceptors and filters of such methods see (`ExecutionContext.getType()`). */
export const CLIENT_CONTEXT_TYPE = 'mcp-client';

const CLIENT_TOKEN = 'nestjs-mcp:client:';

/** Names the injection token of a client, as providers that are made by factories need it. */
export function getMcpClientToken(name: string): string {
  return CLIENT_TOKEN + name;
}

/** Finds the name of the client that an injection token is of. */
export function findClientName(token: unknown): string | undefined {
  const isOfClient = typeof token === 'string' && token.startsWith(CLIENT_TOKEN);
  return isOfClient ? token.slice(CLIENT_TOKEN.length) : undefined;
}

/** Names the injection token of the options of a client that are got asynchronously. */
export function getMcpClientOptionsToken(name: string): string {
  return `nestjs-mcp:client-options:${name}`;
}
