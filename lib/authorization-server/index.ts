export {
  McpAuthorizationServerModule,
  type McpAuthorizationServerAsyncOptions,
} from './mcp-authorization-server.module.js';
export { McpUpstreamTokens } from './mcp-upstream-tokens.js';
export type {
  AuthorizationServerOptions,
  ConsentOptions,
  ConsentTexts,
  ResourceServerClient,
  ResourceScopes,
} from './settings/authorization-server-options.js';
export type { UpstreamOptions, UpstreamUser } from './settings/upstream-options.js';
export type { AuthorizationStorage, StorageCount } from '../core/oauth/authorization-storage.interface.js';
export { upstreams } from './upstream/upstreams.js';
export { UpstreamError } from './upstream/upstream-client.js';
