import { DiscoveryFailedError } from '../errors/discovery-failed.error.js';
import type { AuthorizationChallenge } from '../authorization-challenge.js';
import type { ClientHttpOptions } from '../http/client-http.js';
import type { McpAuthInfo } from './mcp-auth-info.interface.js';

/** How a server's authorization is discovered. */
export interface DiscoverOptions extends Omit<ClientHttpOptions, 'serverUrl'> {
  /** What the server said when it refused a call. */
  readonly challenge?: Pick<AuthorizationChallenge, 'resourceMetadataUrl'> | undefined;
  /** Chooses where to log in, where the server names several. @default the first */
  readonly selectIssuer?: ((issuers: readonly string[]) => string | undefined) | undefined;
}

/** Finds out where one gets tokens for a server. */
export async function discoverMcpAuth(
  serverUrl: string | URL,
  _options: DiscoverOptions = {},
): Promise<McpAuthInfo> {
  throw new DiscoveryFailedError({ url: String(serverUrl), fault: 'is not looked at yet' });
}
