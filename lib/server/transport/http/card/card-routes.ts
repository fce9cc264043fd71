import { Inject, Injectable, type Type } from '@nestjs/common';
import { PATH_METADATA } from '@nestjs/common/constants.js';
import { ApplicationConfig, ModulesContainer } from '@nestjs/core';
import { selectDefaultServer } from '../../../catalogue/discovery/select-default-server.js';
import { CARD_CONTROLLER } from '../../../settings/mcp.constants.js';
import { EndpointPath, isTargetOf } from '../endpoint-path.js';
import { excludeFromPrefix } from '../edge/exclude-from-prefix.js';
import { CARD_SUFFIX } from './card-suffix.js';
import { ServerCardSource } from './server-card-source.js';

/** Where a catalog is looked for; there is one of an origin. */
const CATALOG_PATH = '/.well-known/ai-catalog.json';

/** The paths of the documents, by the methods of the controller that serve them. */
type DocumentPaths = Readonly<Record<'card' | 'catalog', readonly string[]>>;

/**
 * Gives the card of a server its path, behind that of the endpoint, and the catalog of all cards its own, at the default server, else the
 * first one; and keeps the global prefix off them.
 */
@Injectable()
export class CardRoutes {
  #paths: DocumentPaths | undefined;

  constructor(
    @Inject(CARD_CONTROLLER) private readonly controller: Type,
    private readonly source: ServerCardSource,
    private readonly endpoint: EndpointPath,
    private readonly modules: ModulesContainer,
    application: ApplicationConfig,
  ) {
    Reflect.defineMetadata(PATH_METADATA, [], controller);
    if (source.isServed) excludeFromPrefix(application, () => this.#all);
  }

  /** Whether the server has a card. */
  get areServed(): boolean {
    return this.source.isServed;
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

  /** Finds what the catalog names: the default server comes first. */
  findCatalogued(): readonly ServerCardSource[] {
    const sources = [...this.modules.values()].flatMap(({ providers }) => {
      const instance: unknown = providers.get(ServerCardSource)?.instance;
      return instance instanceof ServerCardSource && instance.isCatalogued ? [instance] : [];
    });
    const first = selectDefaultServer(sources.map(({ identity }) => identity));
    const isFirst = ({ identity }: ServerCardSource): number => Number(identity.server === first);
    return sources.toSorted((one, other) => isFirst(other) - isFirst(one));
  }

  get #all(): readonly string[] {
    return Object.values(this.#find()).flat();
  }

  #find(): DocumentPaths {
    if (this.#paths === undefined) {
      const isFirst = this.findCatalogued()[0] === this.source;
      this.#paths = {
        card: [`${this.endpoint.path}${CARD_SUFFIX}`],
        catalog: isFirst ? [CATALOG_PATH] : [],
      };
    }
    return this.#paths;
  }
}
