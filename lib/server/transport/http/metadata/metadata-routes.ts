import type { Type } from '@nestjs/common';
import type { ApplicationConfig, HttpAdapterHost, ModulesContainer } from '@nestjs/core';
import { allocatePaths, type DocumentLocation } from '../../../auth/metadata/allocate-paths.js';
import type { ResourceMetadata } from '../../../auth/metadata/resource-metadata.js';
import type { ServerMetadataMirror } from '../../../auth/metadata/server-metadata-mirror.js';
import { selectDefaultServer } from '../../../catalog/discovery/server-assignments.js';
import type { ServerIdentity } from '../../../settings/mcp.constants.js';
import type { ServerSettings } from '../../../settings/server-settings.js';
import { type DocumentPaths, DocumentRoutes, allowPreflights } from '../edge/document-routes.js';
import type { EndpointPath } from '../endpoint-path.js';

/** The documents by controller method, with their well-known names (RFC 8615). */
const DOCUMENTS = {
  resource: 'oauth-protected-resource',
  authorizationServer: 'oauth-authorization-server',
} as const;

type DocumentKey = keyof typeof DOCUMENTS;

interface MetadataDocuments {
  readonly resource: ResourceMetadata;
  readonly mirror: ServerMetadataMirror;
}

/**
 * Sets the paths of a server's metadata once all servers' paths are known, and excludes them from the global prefix.
 * A document at the origin's root belongs to the default server, or else to the first.
 */
export class MetadataRoutes extends DocumentRoutes<DocumentKey> implements DocumentLocation {
  readonly #served: Readonly<Record<DocumentKey, boolean>>;

  constructor(
    controller: Type,
    private readonly settings: ServerSettings,
    private readonly identity: ServerIdentity,
    private readonly endpoint: EndpointPath,
    private readonly modules: ModulesContainer,
    { resource, mirror }: MetadataDocuments,
    application: ApplicationConfig,
  ) {
    super(controller);
    this.#served = { resource: resource.isServed, authorizationServer: mirror.isServed };
    this.keepOffPrefix(application);
  }

  get areServed(): boolean {
    return this.#served.resource || this.#served.authorizationServer;
  }

  get endpointPath(): string {
    return this.endpoint.path;
  }

  get resourcePath(): string {
    const { resourceUri } = this.settings.auth ?? {};
    return resourceUri === undefined ? this.endpointPath : new URL(resourceUri).pathname;
  }

  protected findPaths(): DocumentPaths<DocumentKey> {
    return {
      resource: this.#allocate('resource'),
      authorizationServer: this.#allocate('authorizationServer'),
    };
  }

  #allocate(key: DocumentKey): readonly string[] {
    const servers = this.#findServers().filter((server) => server.#served[key]);
    const first = selectDefaultServer(servers.map(({ identity }) => identity));
    const places = servers.toSorted(
      (a, b) => Number(b.identity.server === first) - Number(a.identity.server === first),
    );
    return allocatePaths(DOCUMENTS[key], places)[places.indexOf(this)] ?? [];
  }

  #findServers(): readonly MetadataRoutes[] {
    return [...this.modules.values()].flatMap(({ providers }) => {
      const instance: unknown = providers.get(MetadataRoutes)?.instance;
      return instance instanceof MetadataRoutes ? [instance] : [];
    });
  }
}

/** Clients send their protocol version, and some a token; the wildcard does not cover `Authorization`. */
const ALLOWED_HEADERS = 'MCP-Protocol-Version, Authorization, *';

/** Allows pages from any origin to read the metadata. */
export class MetadataEdge {
  constructor(routes: MetadataRoutes, host: HttpAdapterHost) {
    allowPreflights(host, { routes, allowedHeaders: ALLOWED_HEADERS });
  }
}
