/** Names the injection token of a server's notifier; without a key, of the default server's. */
export function getNotifierToken(server?: string): string {
  return formatToken('notifier', server);
}

/** Names the injection token of a server's authenticator; without a key, of the default server's. */
export function getAuthenticatorToken(server?: string): string {
  return formatToken('authenticator', server);
}

/** Returns the injection token of the in-memory connector; without a key, the default server's. */
export function getInMemoryConnectorToken(server?: string): string {
  return formatToken('inMemoryConnector', server);
}

/** Names the injection token of a server's transport over a pipe; without a key, of the default server's. */
export function getStdioToken(server?: string): string {
  return formatToken('stdio', server);
}

/** Names the injection token of a server's tasks; without a key, of the default server's. */
export function getTasksToken(server?: string): string {
  return formatToken('tasks', server);
}

/** Names the injection token of a server's events; without a key, of the default server's. */
export function getEventsToken(server?: string): string {
  return formatToken('events', server);
}

/** Names the injection token of a server's sessions; without a key, of the default server's. */
export function getSessionsToken(server?: string): string {
  return formatToken('sessions', server);
}

/** Names the injection token of a server's figures; without a key, of the default server's. */
export function getStatsToken(server?: string): string {
  return formatToken('stats', server);
}

/** Names the injection token of a server's audit; without a key, of the default server's. */
export function getAuditToken(server?: string): string {
  return formatToken('audit', server);
}

/** Names the injection token of a server's health indicator; without a key, of the default server's. */
export function getHealthIndicatorToken(server?: string): string {
  return formatToken('health', server);
}

/** Names the injection token of a server's extensions; without a key, of the default server's. */
export function getExtensionsToken(server?: string): string {
  return formatToken('extensions', server);
}

/** Names the injection token of a server's catalog; without a key, of the default server's. */
export function getCatalogToken(server?: string): string {
  return formatToken('catalog', server);
}

function formatToken(service: string, server?: string): string {
  return server === undefined ? `nestjs-mcp:${service}` : `nestjs-mcp:${service}:${server}`;
}
