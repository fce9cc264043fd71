import type { Aliases } from '../../../core/checks/option-checks.js';

/** The names that other libraries have for options of a server. If you use one, the error gives the right name. */
export const SERVER_OPTION_ALIASES: Aliases = new Map([
  ['name', 'serverInfo.name'],
  ['version', 'serverInfo.version'],
  ['title', 'serverInfo.title'],
  ['description', 'serverInfo.description'],
  ['websiteUrl', 'serverInfo.websiteUrl'],
  ['icons', 'serverInfo.icons'],
  ['path', 'mcpPath'],
  ['endpoint', 'mcpPath'],
  ['mcpEndpoint', 'mcpPath'],
  ['apiPrefix', 'mcpPath'],
  ['transports', 'mcpPath'],
  ['transport', 'sse'],
  ['sseEndpoint', 'sse.path'],
  ['messagesEndpoint', 'sse.path'],
  ['guards', 'decorators'],
  ['streamableHttp', 'stateless'],
  ['statelessMode', 'stateless'],
  ['statefulMode', 'stateless'],
  ['cacheHints', 'cache'],
  ['logging', 'capabilities.logging'],
  ['allowUnauthenticatedAccess', 'auth'],
]);
