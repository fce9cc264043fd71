import { parseCapabilities, type ServerCapabilities } from '../../core/protocol/capabilities.js';
import type { Implementation } from '../../core/protocol/definitions.js';
import {
  encodeCacheHint,
  encodeInitializeResult,
  encodeServerCapabilities,
} from '../../core/protocol/encoding/encode-result.js';
import { isObject } from '../../core/protocol/json-rpc.js';
import { McpError } from '../../core/protocol/mcp.error.js';
import { SerializedResult } from '../../core/protocol/outbound-message.js';
import {
  selectHandshakeRevision,
  type Revision,
  PER_REQUEST_VERSIONS,
} from '../../core/protocol/revisions.js';
import type { ListDigests } from '../catalog/listing/list-digests.js';
import type { RequestContext } from '../context/request-context.js';
import { isSessionOpening } from '../sessions/session-opening.interface.js';
import type { ServerSettings } from '../settings/server-settings.js';
import { assertConcise } from '../memory/memory-limits.js';
import type { CapabilitiesDeclaration } from './capabilities-declaration.js';
import type { McpMethod } from './mcp-method.interface.js';
import type { Encoded } from '../../core/protocol/encoding/encode-definition.js';

/** Initializes a session: negotiates the revision and both sides' capabilities (MCP 2025-11-25 basic/lifecycle). */
export class InitializeMethod implements McpMethod {
  readonly method = 'initialize';
  /** The serialized results by declaration and revision, because clients with the same ones get the same results. */
  readonly #results = new WeakMap<ServerCapabilities, Map<Revision, SerializedResult>>();

  constructor(
    private readonly settings: ServerSettings,
    private readonly capabilities: CapabilitiesDeclaration,
    private readonly digests?: ListDigests,
  ) {}

  handle({ peer, params, memory }: RequestContext): SerializedResult {
    if (!isSessionOpening(peer)) {
      throw McpError.invalidRequest('the session is already initialized');
    }
    const { protocolVersion, capabilities, clientInfo } = params;
    if (typeof protocolVersion !== 'string') {
      throw McpError.invalidParams('"protocolVersion" must be a string');
    }
    if (!isObject(capabilities)) throw McpError.invalidParams('"capabilities" must be an object');
    assertClientInfo(clientInfo);
    assertConcise({ capabilities, clientInfo }, '"capabilities" and "clientInfo"', memory);
    const revision = selectHandshakeRevision(protocolVersion);
    const client = { info: clientInfo, capabilities: parseCapabilities(capabilities) };
    const declared =
      peer.keepsNothing === true ? this.capabilities.buildStateless() : this.capabilities.build();
    const lists = this.settings.sessions.recover ? this.digests?.text : undefined;
    peer.open({ revision, client, declared, lists });
    return this.#getResult(declared, revision);
  }

  #getResult(declared: ServerCapabilities, revision: Revision): SerializedResult {
    const results = this.#results.get(declared) ?? new Map<Revision, SerializedResult>();
    const known = results.get(revision);
    if (known !== undefined) return known;
    const built = this.#buildResult(declared, revision);
    this.#results.set(declared, results.set(revision, built));
    return built;
  }

  #buildResult(capabilities: ServerCapabilities, revision: Revision): SerializedResult {
    const { serverInfo, instructions } = this.settings;
    const result = { protocolVersion: revision.version, capabilities, serverInfo };
    const complete = instructions === undefined ? result : { ...result, instructions };
    return new SerializedResult(JSON.stringify(encodeInitializeResult(complete, revision)));
  }
}

function assertClientInfo(info: unknown): asserts info is Implementation {
  if (!isObject(info) || typeof info['name'] !== 'string' || typeof info['version'] !== 'string') {
    throw McpError.invalidParams('"clientInfo" must have the string properties "name" and "version"');
  }
}

/** Lists the server's protocol versions and capabilities (MCP 2026-07-28 server/discover). */
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

/** Confirms that the server is alive (MCP 2025-11-25 basic/utilities/ping). */
export class PingMethod implements McpMethod {
  readonly method = 'ping';

  handle(): Record<string, never> {
    return {};
  }
}
