import type { OnApplicationBootstrap } from '@nestjs/common';
import type { HttpAdapterHost } from '@nestjs/core';
import { Logger } from '../../../../core/logger/logger.js';
import type { EndpointPath } from '../endpoint-path.js';
import { listLayers, takesMethod } from './express-layers.js';

/**
 * Warns if other routes of an Express application take the endpoint's requests: of several at one path the first that was registered
 * answers, and Express says nothing of it. Fastify refuses to start.
 */
export class OverlappingRoutesReport implements OnApplicationBootstrap {
  readonly #logger = new Logger('McpHttpTransport');

  constructor(
    private readonly endpoint: EndpointPath,
    private readonly host: HttpAdapterHost,
  ) {}

  onApplicationBootstrap(): void {
    for (const path of this.endpoint.paths) {
      const found = this.#listPaths(path);
      if (found.length < 2) continue;
      const quoted = found.map((one) => JSON.stringify(one)).join(' and ');
      this.#logger.warn(
        `POST ${path} has ${found.length} routes: ${quoted}. The one that was registered first answers. Remove the other controller, or choose another "mcpPath"`,
      );
    }
  }

  /** Lists the paths of the routes that may answer a message. What is registered after the last route at the path itself is never asked. */
  #listPaths(path: string): readonly string[] {
    const { httpAdapter } = this.host;
    if (httpAdapter?.getType() !== 'express') return [];
    const found = listLayers(httpAdapter).flatMap((layer) =>
      layer.route !== undefined && takesMethod(layer.route, 'post') && layer.match(path)
        ? [String(layer.route.path)]
        : [],
    );
    return found.slice(0, found.lastIndexOf(path) + 1);
  }
}
