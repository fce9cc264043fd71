import { RequestMethod, type Type } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import type { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { quoteAll } from '../../core/words/words.js';
import { HANDLER_METADATA } from '../../server/settings/mcp.constants.js';
import { McpConfigurationError } from '../../server/settings/mcp-configuration.error.js';
import type {
  ListedController,
  ToolControllerOptions,
  ToolRouteOptions,
} from '../settings/tool-controller-options.js';
import { findToolController } from '../tool-controller.decorator.js';
import type { FoundRoute } from './found-route.js';
import { readSwaggerOperation } from './swagger-route.js';

const GET: number = RequestMethod.GET;

/** A route that is to become a tool. */
export interface SelectedRoute {
  readonly route: FoundRoute;
  readonly options: ToolControllerOptions;
  readonly routeOptions: ToolRouteOptions;
  /** Whether the options name the route. Otherwise it was selected as a GET route. */
  readonly isNamed: boolean;
}

/** Finds the application's selected controllers and their routes. */
export class RouteExplorer {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly listed: readonly ListedController[],
  ) {}

  /**
   * Returns the selected routes, in the order in which the application declares them.
   *
   * @throws {McpConfigurationError} if the options refer to something that does not exist in the application
   */
  explore(): readonly SelectedRoute[] {
    const found = new Map<unknown, readonly FoundRoute[]>();
    for (const { metatype, host } of this.discovery.getControllers()) {
      if (typeof metatype !== 'function' || host === undefined || found.has(metatype)) continue;
      found.set(metatype, this.#listRoutes(metatype as Type, host));
    }
    for (const [index, { controller }] of this.listed.entries()) {
      if (found.has(controller)) continue;
      const option = `controllers[${index}].controller`;
      throw new McpConfigurationError(
        option,
        `is "${controller.name}", which no module lists in its "controllers"`,
      );
    }
    return [...found].flatMap(([controller, routes]) => this.#choose(controller as Type, routes));
  }

  #choose(controller: Type, routes: readonly FoundRoute[]): readonly SelectedRoute[] {
    const options =
      this.listed.find((one) => one.controller === controller) ?? findToolController(controller);
    if (options === undefined) return [];
    const choices = options.routes ?? {};
    for (const name of Object.keys(choices)) {
      if (routes.some(({ methodName }) => methodName === name)) continue;
      const known = routes.map(({ methodName }) => methodName);
      throw new McpConfigurationError(
        `toolController.routes.${name}`,
        `is not a route of "${controller.name}", whose routes are: ${known.length === 0 ? 'none' : quoteAll(known)}`,
      );
    }
    return routes.flatMap((route) => {
      const choice = Object.hasOwn(choices, route.methodName) ? choices[route.methodName] : undefined;
      if (choice === false || (choice === undefined && !isChosenUnasked(route))) return [];
      const routeOptions = typeof choice === 'object' ? choice : {};
      return [{ route, options, routeOptions, isNamed: choice !== undefined }];
    });
  }

  /** Lists the routes of a controller and its base classes. */
  #listRoutes(controller: Type, module: FoundRoute['module']): readonly FoundRoute[] {
    const prototype = controller.prototype as Readonly<Record<string, unknown>>;
    return this.scanner.getAllMethodNames(prototype).flatMap((methodName) => {
      const handler = prototype[methodName];
      if (typeof handler !== 'function' || !Reflect.hasMetadata(PATH_METADATA, handler)) return [];
      const requestMethod = Reflect.getMetadata(METHOD_METADATA, handler) as number;
      return [{ controller, module, methodName, handler: handler as FoundRoute['handler'], requestMethod }];
    });
  }
}

/** Methods that are already tools, and routes excluded from the documentation, are skipped. */
function isChosenUnasked(route: FoundRoute): boolean {
  return (
    route.requestMethod === GET &&
    !Reflect.hasMetadata(HANDLER_METADATA, route.handler) &&
    !readSwaggerOperation(route).isExcluded
  );
}
