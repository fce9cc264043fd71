import type { OnModuleInit } from '@nestjs/common';
import type { HttpAdapterHost, ModuleRef } from '@nestjs/core';
import { Logger } from '../core/logger/logger.js';
import { isObject } from '../core/protocol/json-rpc.js';
import { explainError } from '../core/log/describe-failure.js';
import { markSerialized } from '../server/catalog/invocation/direct-call.js';
import { CatalogError } from '../server/catalog/catalog.error.js';
import type { McpCatalog } from '../server/catalog/mcp-catalog.js';
import type { McpContext } from '../server/context/mcp-context.interface.js';
import { readAccessMetadata } from '../server/decorators/access.decorators.js';
import { readToolAnnotations, type ToolAnnotations } from '../server/decorators/handler.decorators.js';
import type { JsonSchema } from '../server/schema/compiled-schema.interface.js';
import { SchemaError } from '../server/schema/schema.error.js';
import type { ToolOptions } from '../server/settings/handler-options.interface.js';
import { McpConfigurationError } from '../server/settings/mcp-configuration.error.js';
import { getCatalogToken } from '../server/settings/server-tokens.js';
import { findArguments } from './arguments/find-arguments.js';
import type { RouteArguments } from './arguments/route-arguments.js';
import { buildResult } from './build-result.js';
import type { RouteDispatcher } from './dispatch/route-dispatcher.js';
import { isArgumentHeader } from './dispatch/caller-headers.js';
import { findMethod, findRefusal } from './routes/find-refusal.js';
import { formatRoute } from './routes/found-route.js';
import type { RouteAddress, RouteAddresses } from './routes/route-address.js';
import { RouteRefusal } from './routes/route-refusal.js';
import type { SelectedRoute, RouteExplorer } from './routes/route.explorer.js';
import { findResponseSchema, readSwaggerOperation } from './routes/swagger-route.js';
import type { ControllersOptions, ToolControllerOptions } from './settings/tool-controller-options.js';

/** The parts that turn routes into tools. */
interface ToolParts {
  readonly explorer: RouteExplorer;
  readonly addresses: RouteAddresses;
  readonly dispatcher: RouteDispatcher;
}

/** A tool, and the handler that calls its route. */
interface BuiltTool {
  readonly options: ToolOptions & { readonly name: string };
  readonly handle: (values: JsonSchema, context: McpContext) => Promise<unknown>;
}

/** What the HTTP methods guarantee (RFC 9110 §9.2). */
const HINTS: Readonly<Record<string, ToolAnnotations>> = {
  GET: { readOnlyHint: true },
  POST: { readOnlyHint: false },
  PATCH: { readOnlyHint: false },
  PUT: { readOnlyHint: false, idempotentHint: true },
  DELETE: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
};

/** Adds the tools for all selected routes to their servers' catalogs. */
export class ControllerTools implements OnModuleInit {
  readonly #logger = new Logger('McpControllers');
  /** The route that owns each tool name, per server. */
  readonly #owners = new Map<string, string>();

  constructor(
    private readonly parts: ToolParts,
    private readonly host: HttpAdapterHost,
    private readonly moduleRef: ModuleRef,
    private readonly settings: ControllersOptions,
  ) {}

  /**
   * @throws {McpConfigurationError} if the options refer to something that does not exist
   * @throws {CatalogError} if a route named in the options cannot be a tool, or two tools have the same name
   */
  onModuleInit(): void {
    // An application context, such as that of a worker or of stdio, has no adapter.
    if (!((this.host.httpAdapter as unknown) instanceof Object)) {
      this.#logger.warn(
        'No route is a tool, because the application has no HTTP server: create it with "NestFactory.create()"',
      );
      return;
    }
    const chosen = this.parts.explorer.explore();
    chosen.forEach((one) => this.#add(one));
    if (chosen.length === 0) {
      this.#logger.warn(
        'No controller has tools: add "@ToolController()" to a controller, or list the controller in "controllers"',
      );
    }
  }

  #add(chosen: SelectedRoute): void {
    const tool = this.#build(chosen);
    if (tool === undefined) return;
    const { server } = chosen.options;
    const { name } = tool.options;
    const key = `${server ?? ''} ${name}`;
    const owner = this.#owners.get(key);
    const route = formatRoute(chosen.route);
    if (owner !== undefined) {
      throw CatalogError.invalid(
        `The routes "${owner}" and "${route}" would both be the tool "${name}": set "prefix" on one of the controllers, or "routes.${chosen.route.methodName}.name"`,
      );
    }
    this.#owners.set(key, route);
    const catalog = this.moduleRef.get<McpCatalog>(getCatalogToken(server), { strict: false });
    try {
      catalog.tools.add(tool.options, markSerialized(tool.handle));
    } catch (error) {
      throw CatalogError.invalid(`The route "${route}": ${explainError(error)}`, error);
    }
  }

  /** A route that cannot be a tool is skipped with a warning, unless an option names it. */
  #build(chosen: SelectedRoute): BuiltTool | undefined {
    try {
      return this.#buildTool(chosen);
    } catch (error) {
      if (!(error instanceof RouteRefusal || error instanceof SchemaError)) throw error;
      const { methodName } = chosen.route;
      const text = `The route "${formatRoute(chosen.route)}" cannot be a tool: it ${error instanceof RouteRefusal ? error.message : `has a schema that cannot be converted to JSON Schema: ${explainError(error)}`}`;
      if (chosen.isNamed) throw CatalogError.invalid(text, error);
      this.#logger.warn(`${text}. Set "routes.${methodName}" to false to exclude it`);
      return undefined;
    }
  }

  #buildTool({ route, options, routeOptions }: SelectedRoute): BuiltTool {
    const refusal = findRefusal(route);
    if (refusal !== undefined) throw new RouteRefusal(refusal);
    const method = findMethod(route) ?? 'GET';
    const address = this.parts.addresses.find(route, options);
    const given = findArguments(route, {
      path: address.path,
      headers: readHeaders(options),
      isNested: this.#hasNestedQueries(),
    });
    const swagger = readSwaggerOperation(route);
    const outputSchema = options.outputSchemas === true ? findResponseSchema(route) : undefined;
    const access =
      this.settings.findAccess?.({
        controller: route.controller,
        handler: route.handler,
        method,
        path: address.path.source,
      }) ?? readAccessMetadata(route.controller, route.handler);
    const tool = {
      ...access,
      ...(swagger.title !== undefined && { title: swagger.title }),
      ...(swagger.description !== undefined && { description: swagger.description }),
      ...(swagger.tags.length > 0 && { tags: swagger.tags }),
      ...(outputSchema && { outputSchema }),
      ...routeOptions,
      annotations: {
        ...HINTS[method],
        ...readToolAnnotations(route.controller, route.methodName),
        ...routeOptions.annotations,
      },
      inputSchema: given.schema,
      name: `${options.prefix ?? ''}${routeOptions.name ?? swagger.operationId ?? route.methodName}`,
    };
    const isChecked = tool.outputSchema !== undefined;
    return { options: tool, handle: this.#createHandle({ ...route, method, address, given, isChecked }) };
  }

  #createHandle({
    method,
    address,
    given,
    isChecked,
    controller,
    handler,
  }: CalledRoute): BuiltTool['handle'] {
    const { path } = address;
    const argumentHeaders = given.headers;
    return async (values, context) => {
      const { url, headers, body } = given.build(values);
      const length = body && { 'content-type': 'application/json', 'content-length': String(body.length) };
      const response = await this.parts.dispatcher.send(
        {
          target: { controller, handler },
          argumentHeaders,
          method,
          url,
          headers: { ...headers, ...address.headers, ...length },
          body,
        },
        context,
      );
      return buildResult(response, { method, path: path.source, isChecked });
    };
  }

  /** Express parses brackets in queries if the extended parser is enabled. */
  #hasNestedQueries(): boolean {
    const instance: unknown = this.host.httpAdapter.getInstance();
    if (this.host.httpAdapter.getType() !== 'express') return false;
    const get: unknown =
      typeof instance === 'function' || isObject(instance) ? Reflect.get(instance, 'get') : undefined;
    return typeof get === 'function' && get.call(instance, 'query parser') === 'extended';
  }
}

interface CalledRoute {
  readonly method: string;
  readonly address: RouteAddress;
  readonly given: RouteArguments;
  readonly isChecked: boolean;
  readonly controller: SelectedRoute['route']['controller'];
  readonly handler: SelectedRoute['route']['handler'];
}

/** @throws {McpConfigurationError} for a header that identifies the caller */
function readHeaders({ headers = [] }: ToolControllerOptions): readonly string[] {
  return headers.map((header, index) => {
    const name = header.toLowerCase();
    if (isArgumentHeader(name)) return name;
    throw new McpConfigurationError(
      `toolController.headers[${index}]`,
      `is "${header}", which belongs to the caller's request: remove it, because a model must not choose it`,
    );
  });
}
