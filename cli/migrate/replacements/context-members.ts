import type { MemberReplacement } from './replacement.interface.js';

/** The properties of a handler's context, with their replacements. */
export const CONTEXT_MEMBERS = [
  { theirs: 'reportProgress({ progress, total, message })', ours: 'progress(progress, total, message)' },
  { theirs: 'log.debug(message, data)', ours: "log('debug', { message, context: data })" },
  { theirs: 'log.info(message, data)', ours: "log('info', { message, context: data })" },
  { theirs: 'log.warn(message, data)', ours: "log('warning', { message, context: data })" },
  { theirs: 'log.error(message, data)', ours: "log('error', { message, context: data })" },
  { theirs: 'mcpRequest.method', ours: 'method' },
  { theirs: 'mcpRequest.params', ours: 'params' },
  { theirs: 'mcpRequest.params._meta', ours: 'meta' },
  { theirs: 'mcpServer.server.getClientCapabilities()', ours: 'client.capabilities' },
  { theirs: 'mcpServer.server.getClientVersion()', ours: 'client.info' },
  {
    theirs: 'mcpServer.server.elicitInput({ message, requestedSchema })',
    ours: 'elicit({ message, schema })',
  },
  { theirs: 'mcpServer.server.createMessage(request)', ours: 'sample(request)' },
  { theirs: 'mcpServer', decision: 'serverOfSdk' },
  { theirs: 'mcpRequest', decision: 'request' },
  { theirs: 'getSession().sessionId', ours: 'session?.id', release: 2 },
  { theirs: 'getSession()', decision: 'session', release: 2 },
  { theirs: 'getRawRequest()', ours: 'http?.request', release: 2 },
  { theirs: 'getProtocolVersion()', ours: 'revision.version', release: 2 },
  { theirs: 'getClientCapabilities()', ours: 'client.capabilities', release: 2 },
  { theirs: 'getClientInfo()', ours: 'client.info', release: 2 },
  { theirs: 'getTraceContext()', ours: 'meta', decision: 'request', release: 2 },
] as const satisfies readonly MemberReplacement[];

/** The protocol log level for each of their `log` methods. */
export const LOG_LEVELS: Readonly<Record<string, string>> = {
  debug: 'debug',
  info: 'info',
  warn: 'warning',
  error: 'error',
};
