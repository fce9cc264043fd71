import type { Type } from '@nestjs/common';
import {
  callable,
  either,
  fail,
  flag,
  hostName,
  list,
  nonEmptyString,
  object,
  positive,
  required,
  string,
  type Check,
} from '../../core/checks/option-checks.js';
import { optionGroup } from '../../core/checks/option-group.js';
import type { AccessOptions, ToolOptions } from '../../server/settings/handler-options.interface.js';

/**
 * The tool for one route. Every option overrides what the route and its swagger decorators declare.
 *
 * @example
 * const search: ToolRouteOptions = { name: 'search_articles', description: 'Search the articles of the shop by words' };
 */
export interface ToolRouteOptions extends Pick<
  ToolOptions,
  'annotations' | 'description' | 'outputSchema' | 'tags' | 'timeoutMs' | 'title' | 'visible'
> {
  /** The tool's name. @default `prefix`, followed by `operationId` from `@ApiOperation()` or the method's name */
  readonly name?: string;
}

/**
 * Selects a controller's routes that become tools.
 *
 * @example
 * const options: ToolControllerOptions = { prefix: 'cats_', routes: { create: true, findSecrets: false } };
 */
export interface ToolControllerOptions {
  /**
   * The routes, keyed by method name: `true` or options make a route a tool, `false` excludes it. A route that the
   * object does not name becomes a tool if its HTTP method is GET.
   * @default all GET routes
   */
  readonly routes?: { readonly [method: string]: boolean | ToolRouteOptions };
  /** The prefix of each tool name. @default none */
  readonly prefix?: string;
  /**
   * The request headers that callers pass as arguments, among those declared with `@Headers('name')` or `@ApiHeader()`.
   * A route receives all other headers from its caller's request. @default none
   */
  readonly headers?: readonly string[];
  /** The `Host` header of the requests, for a controller bound to a host. @default the host of the caller's request */
  readonly host?: string;
  /** The version to call, for routes with several versions. @default the first that the route declares */
  readonly version?: string;
  /** Declares the types in `@ApiResponse()` as output schemas. Calls fail if their results do not match. @default false */
  readonly outputSchemas?: boolean;
  /** The server that offers the tools, in an application with several servers. @default the default server */
  readonly server?: string;
}

/**
 * A controller whose class you cannot decorate, such as one from a package.
 *
 * @example
 * const health: ListedController = { controller: HealthController, prefix: 'health_' };
 */
export interface ListedController extends ToolControllerOptions {
  /** The controller class. */
  readonly controller: Type;
}

/** A route that is about to become a tool. */
export interface ToolRoute {
  /** The controller class. */
  readonly controller: Type;
  /** The route's method, which carries its decorators' metadata. */
  readonly handler: (...parameters: never[]) => unknown;
  /** The HTTP method, such as `GET`. */
  readonly method: string;
  /** The path with its parameters, such as `/v2/cats/:id`. */
  readonly path: string;
}

/**
 * Options for all controllers' tools.
 *
 * @example
 * const options: ControllersOptions = {
 *   findAccess: ({ controller, handler }) => {
 *     const roles = new Reflector().getAllAndOverride<string[]>('roles', [handler, controller]);
 *     return { requiredScopes: roles?.map((role) => `role:${role}`) ?? [] };
 *   },
 * };
 */
export interface ControllersOptions {
  /** Controllers whose classes have no `@ToolController()`. @default none */
  readonly controllers?: readonly ListedController[];
  /**
   * Returns who may call a route's tool, for example based on the roles that one of the application's guards reads. The
   * route's guards run in any case. If it returns `undefined`, `@RequireScope()`, `@Public()` and `@Concurrency()` on
   * the route apply.
   * @default the access decorators of the route
   */
  readonly findAccess?: (route: ToolRoute) => AccessOptions | undefined;
  /** The maximum size of a route's response, in bytes. The call fails if the response is larger. @default 4_194_304 */
  readonly maxResponseBytes?: number;
}

const anything: Check = () => undefined;

/** The options of one route. */
export const TOOL_ROUTE = optionGroup<ToolRouteOptions, keyof ToolRouteOptions>({
  name: nonEmptyString,
  title: nonEmptyString,
  description: nonEmptyString,
  annotations: object,
  outputSchema: anything,
  tags: list(nonEmptyString),
  timeoutMs: positive,
  visible: callable,
});

const routes: Check = (option, value) => {
  object(option, value);
  for (const [name, choice] of Object.entries(value as object)) {
    either('boolean', flag, TOOL_ROUTE.check)(`${option}.${name}`, choice);
  }
};

const TOOL_CONTROLLER = {
  routes,
  prefix: string,
  headers: list(nonEmptyString),
  host: hostName,
  version: nonEmptyString,
  outputSchemas: flag,
  server: nonEmptyString,
};

const controllerClass: Check = (option, value) => {
  if (typeof value !== 'function') fail(option, 'must be a controller class');
};

type Choice = keyof ToolControllerOptions;

/** The options for one controller. */
export const CONTROLLER_CHOICE = optionGroup<ToolControllerOptions, Choice>(TOOL_CONTROLLER);

const LISTED_CONTROLLER = optionGroup<ListedController, Choice>({
  ...TOOL_CONTROLLER,
  controller: required(controllerClass, 'HealthController'),
});

/** The options for all controllers. */
export const CONTROLLERS = optionGroup<ControllersOptions, 'findAccess'>({
  controllers: [list(LISTED_CONTROLLER.check), []],
  findAccess: callable,
  maxResponseBytes: [positive, 4_194_304],
});
