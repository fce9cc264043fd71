import { Inject, Injectable, type Type } from '@nestjs/common';
import { PATH_METADATA } from '@nestjs/common/constants.js';
import { ApplicationConfig, ModulesContainer } from '@nestjs/core';
import { allocatePaths, type DocumentPlace } from '../../../auth/metadata/allocate-paths.js';
import { ResourceMetadata } from '../../../auth/metadata/resource-metadata.js';
import { ServerMetadataMirror } from '../../../auth/metadata/server-metadata-mirror.js';
import { selectDefaultServer } from '../../../catalogue/discovery/select-default-server.js';
import {
  METADATA_CONTROLLER,
  SERVER_IDENTITY,
  SERVER_SETTINGS,
  type ServerIdentity,
} from '../../../settings/mcp.constants.js';
import type { ServerSettings } from '../../../settings/server-settings.js';
import { EndpointPath, isTargetOf } from '../endpoint-path.js';
import { excludeFromPrefix } from '../edge/exclude-from-prefix.js';

/** The documents, by the methods of the controller that serve them: each has its registered name (RFC 8615). */
const DOCUMENTS = {
  resource: 'oauth-protected-resource',
  authorizationServer: 'oauth-authorization-server',
} as const;

type DocumentKey = keyof typeof DOCUMENTS;
type DocumentPaths = Readonly<Record<DocumentKey, readonly string[]>>;

/**
 * Gives the metadata of a server its paths once those of all servers of the application are known, and keeps the global
 * prefix off them. Of documents at the origin's root there is one: that of the default server, else of the first.
 */
@Injectable()
export class MetadataRoutes implements DocumentPlace {
  readonly #served: Readonly<Record<DocumentKey, boolean>>;
  #paths: DocumentPaths | undefined;

  constructor(
    @Inject(METADATA_CONTROLLER) private readonly controller: Type,
    @Inject(SERVER_SETTINGS) private readonly settings: ServerSettings,
    @Inject(SERVER_IDENTITY) private readonly identity: ServerIdentity,
    private readonly endpoint: EndpointPath,
    private readonly modules: ModulesContainer,
    resource: ResourceMetadata,
    mirror: ServerMetadataMirror,
    application: ApplicationConfig,
  ) {
    this.#served = { resource: resource.isServed, authorizationServer: mirror.isServed };
    Reflect.defineMetadata(PATH_METADATA, [], controller);
    if (this.areServed) excludeFromPrefix(application, () => this.#all);
  }

  /** Whether the server has any of the documents. */
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

  /** Puts the controller at the paths; to be called when the global prefix is known. */
  takePaths(): void {
    if (!this.areServed) return;
    Reflect.defineMetadata(PATH_METADATA, '/', this.controller);
    for (const [key, paths] of Object.entries(this.#find())) {
      const method: object = this.controller.prototype[key];
      Reflect.defineMetadata(PATH_METADATA, paths, method);
    }
  }

  /** Tells whether a path is that of one of the documents, as it is routed. */
  serves(path: string): boolean {
    return this.#all.includes(path);
  }

  /** Tells whether a request is for one of the documents. */
  matches(target: string): boolean {
    return this.#all.some((path) => isTargetOf(path, target));
  }

  get #all(): readonly string[] {
    return Object.values(this.#find()).flat();
  }

  #find(): DocumentPaths {
    this.#paths ??= {
      resource: this.#allocate('resource'),
      authorizationServer: this.#allocate('authorizationServer'),
    };
    return this.#paths;
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
