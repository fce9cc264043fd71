import type { AuthorizationServerMetadata } from '../../../core/oauth/authorization-server-metadata.js';
import type { ProtectedResourceMetadata } from '../../../core/oauth/protected-resource-metadata.js';

/** How to get tokens for a server. */
export interface McpAuthInfo {
  /** The metadata of the server as a protected resource; absent if the server follows MCP 2025-03-26. */
  readonly prm: ProtectedResourceMetadata | undefined;
  /** Whether the server follows MCP 2025-03-26. It is then its own authorization server. */
  readonly legacyDiscovery: boolean;
  /** The metadata of the authorization server, with its token endpoint checked; the defaults of MCP 2025-03-26 if it has none. */
  readonly authorizationServer: AuthorizationServerMetadata;
}
