import type { MemberReplacement } from './replacement.interface.js';

/** The properties of `serverInfo`, in order. */
export const SERVER_INFO = ['name', 'version', 'title', 'description', 'websiteUrl', 'icons'] as const;

/** The options of `McpModule.forRoot()` in release 1, and of `McpStrategy` in release 2. */
export const SERVER_OPTIONS: readonly MemberReplacement[] = [
  ...SERVER_INFO.map((name) => ({ theirs: name, ours: `serverInfo.${name}` })),
  { theirs: 'instructions', ours: 'instructions' },
  { theirs: 'capabilities', ours: 'capabilities', decision: 'capabilities' },
  { theirs: 'allowUnauthenticatedAccess', decision: 'openAccess' },
  { theirs: 'serverMutator', decision: 'serverMutator' },
  { theirs: 'logging', decision: 'logging' },
  { theirs: 'transport', ours: 'sse', release: 1 },
  { theirs: 'mcpEndpoint', ours: 'mcpPath', release: 1 },
  { theirs: 'sseEndpoint', ours: 'sse.path', release: 1 },
  { theirs: 'messagesEndpoint', ours: '—', release: 1 },
  { theirs: 'apiPrefix', ours: 'mcpPath', release: 1 },
  { theirs: 'guards', ours: 'decorators', release: 1 },
  { theirs: 'decorators', ours: 'decorators', release: 1 },
  { theirs: 'sse', ours: 'streams.keepAliveMs', decision: 'keepAlive', release: 1 },
  { theirs: 'streamableHttp.statelessMode', ours: 'stateless', release: 1 },
  { theirs: 'streamableHttp.enableJsonResponse', ours: '—', release: 1 },
  { theirs: 'streamableHttp.sessionIdGenerator', decision: 'sessionIds', release: 1 },
  { theirs: 'server', ours: 'server', release: 2 },
  { theirs: 'cacheHints', decision: 'cacheHints', release: 2 },
  { theirs: 'httpAdapter', ours: '—', release: 2 },
  { theirs: 'transports', ours: 'mcpPath', release: 2 },
];

/** The options of `StreamableHttpTransport` and `StdioTransport` in release 2. */
export const TRANSPORT_OPTIONS: readonly MemberReplacement[] = [
  { theirs: 'endpoint', ours: 'mcpPath', release: 2 },
  { theirs: 'statefulMode', ours: 'stateless', release: 2 },
  { theirs: 'enableJsonResponse', ours: '—', release: 2 },
  { theirs: 'sessionIdGenerator', decision: 'sessionIds', release: 2 },
  { theirs: 'protocol', decision: 'protocol', release: 2 },
  { theirs: 'responseMode', decision: 'protocol', release: 2 },
  { theirs: 'legacy', decision: 'protocol', release: 2 },
  { theirs: 'security', decision: 'security', release: 2 },
  { theirs: 'stepUpAuthorization', ours: '—', release: 2 },
  { theirs: 'mount', decision: 'ownController', release: 2 },
];

/** Finds the row of a table for one of their names. */
export function findMember(
  rows: readonly MemberReplacement[],
  theirs: string,
): MemberReplacement | undefined {
  return rows.find((row) => row.theirs === theirs);
}
