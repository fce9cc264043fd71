/** Returns the injection token for a server's notifier. Without a key, it is the default server's token. */
export function getNotifierToken(server?: string): string {
  return formatToken('notifier', server);
}

/** Returns the injection token for a server's authenticator. Without a key, it is the default server's token. */
export function getAuthenticatorToken(server?: string): string {
  return formatToken('authenticator', server);
}

/** Returns the injection token for the in-memory connector. Without a key, it is the default server's token. */
export function getInMemoryConnectorToken(server?: string): string {
  return formatToken('inMemoryConnector', server);
}

/** Returns the injection token for a server's stdio transport. Without a key, it is the default server's token. */
export function getStdioToken(server?: string): string {
  return formatToken('stdio', server);
}

/** Returns the injection token for a server's tasks. Without a key, it is the default server's token. */
export function getTasksToken(server?: string): string {
  return formatToken('tasks', server);
}

/** Returns the injection token for a server's events. Without a key, it is the default server's token. */
export function getEventsToken(server?: string): string {
  return formatToken('events', server);
}

/** Returns the injection token for a server's sessions. Without a key, it is the default server's token. */
export function getSessionsToken(server?: string): string {
  return formatToken('sessions', server);
}

/** Returns the injection token for a server's statistics. Without a key, it is the default server's token. */
export function getStatsToken(server?: string): string {
  return formatToken('stats', server);
}

/** Returns the injection token for a server's audit. Without a key, it is the default server's token. */
export function getAuditToken(server?: string): string {
  return formatToken('audit', server);
}

/**
 * Returns the injection token for what records the events of an authorization server. Without a key, it is the default
 * server's token.
 */
export function getAuthorizationRecorderToken(server?: string): string {
  return formatToken('authorizationRecorder', server);
}

/** Returns the injection token for a server's health indicator. Without a key, it is the default server's token. */
export function getHealthIndicatorToken(server?: string): string {
  return formatToken('health', server);
}

/** Returns the injection token for a server's extensions. Without a key, it is the default server's token. */
export function getExtensionsToken(server?: string): string {
  return formatToken('extensions', server);
}

/** Returns the injection token for a server's catalog. Without a key, it is the default server's token. */
export function getCatalogToken(server?: string): string {
  return formatToken('catalog', server);
}

function formatToken(service: string, server?: string): string {
  return server === undefined ? `nestjs-mcp:${service}` : `nestjs-mcp:${service}:${server}`;
}
