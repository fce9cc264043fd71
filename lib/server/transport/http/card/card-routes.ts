import type { Type } from '@nestjs/common';
import type { ApplicationConfig, HttpAdapterHost, ModulesContainer } from '@nestjs/core';
import { CARD_SUFFIX, CATALOG_PATH } from '../../../../core/protocol/server-card.js';
import { selectDefaultServer } from '../../../catalog/discovery/server-assignments.js';
import { type DocumentPaths, DocumentRoutes, allowPreflights } from '../edge/document-routes.js';
import type { EndpointPath } from '../endpoint-path.js';
import { ServerCardSource } from './server-card-source.js';

/**
 * Sets the path of a server's card, below the endpoint path. The default server, or else the first one, also serves
 * the catalog of all cards. The global prefix does not apply.
 */
export class CardRoutes extends DocumentRoutes<'card' | 'catalog'> {
  constructor(
    controller: Type,
    private readonly source: ServerCardSource,
    private readonly endpoint: EndpointPath,
    private readonly modules: ModulesContainer,
    application: ApplicationConfig,
  ) {
    super(controller);
    this.keepOffPrefix(application);
  }

  get areServed(): boolean {
    return this.source.isServed;
  }

  /** Finds the catalog's servers, the default server first. */
  findCatalogSources(): readonly ServerCardSource[] {
    const sources = [...this.modules.values()].flatMap(({ providers }) => {
      const instance: unknown = providers.get(ServerCardSource)?.instance;
      return instance instanceof ServerCardSource && instance.isInCatalog ? [instance] : [];
    });
    const first = selectDefaultServer(sources.map(({ identity }) => identity));
    const isFirst = ({ identity }: ServerCardSource): number => Number(identity.server === first);
    return sources.toSorted((one, other) => isFirst(other) - isFirst(one));
  }

  protected findPaths(): DocumentPaths<'card' | 'catalog'> {
    const isFirst = this.findCatalogSources()[0] === this.source;
    return { card: [`${this.endpoint.path}${CARD_SUFFIX}`], catalog: isFirst ? [CATALOG_PATH] : [] };
  }
}

const ALLOWED_HEADERS = 'Content-Type, If-None-Match, *';

/** Allows pages from any origin to read cards. */
export class CardEdge {
  constructor(routes: CardRoutes, host: HttpAdapterHost) {
    allowPreflights(host, { routes, allowedHeaders: ALLOWED_HEADERS });
  }
}
