import type { Encoded } from '../../core/protocol/encoding/encode-definition.js';
import { encodeCacheHint, encodeServerCapabilities } from '../../core/protocol/encoding/encode-result.js';
import { PER_REQUEST_VERSIONS } from '../../core/protocol/revisions.js';
import type { RequestContext } from '../context/request-context.js';
import type { ServerSettings } from '../settings/server-settings.js';
import type { CapabilitiesDeclaration } from './capabilities-declaration.js';
import type { McpMethod } from './mcp-method.interface.js';

/** Tells what the server speaks and offers (MCP 2026-07-28 server/discover). */
export class ServerDiscoverMethod implements McpMethod {
  readonly method = 'server/discover';

  constructor(
    private readonly settings: ServerSettings,
    private readonly capabilities: CapabilitiesDeclaration,
  ) {}

  handle({ revision }: RequestContext): Encoded {
    const { instructions, cache } = this.settings;
    return {
      supportedVersions: PER_REQUEST_VERSIONS,
      capabilities: encodeServerCapabilities(this.capabilities.build(), revision),
      ...(instructions !== undefined && { instructions }),
      ...encodeCacheHint(cache.discover, revision),
    };
  }
}
