import 'reflect-metadata';
import { CONTROLLER_CHOICE, type ToolControllerOptions } from './settings/tool-controller-options.js';
import { asserting } from '../core/checks/option-checks.js';
import { McpConfigurationError } from '../server/settings/mcp-configuration.error.js';

const TOOL_CONTROLLER_METADATA = 'nestjs-mcp:tool-controller';

/**
 * Turns a controller's GET routes, and the routes named in its options, into tools. Calling a tool sends a request to
 * the route: guards, pipes, interceptors, filters and middleware run as for any request. The application must import
 * {@link McpControllersModule}.
 *
 * @throws {McpConfigurationError} if an option is invalid
 * @example
 * (at)Controller('cats') (at)ToolController({ prefix: 'cats_', routes: { create: true } })
 * class CatsController {}
 */
export function ToolController(options: ToolControllerOptions = {}): ClassDecorator {
  asserting(McpConfigurationError, () => CONTROLLER_CHOICE.check('toolController', options));
  return (target) => Reflect.defineMetadata(TOOL_CONTROLLER_METADATA, options, target);
}

/** Finds the options of `@ToolController()` on a class. A subclass does not inherit them from its base class. */
export function findToolController(target: object): ToolControllerOptions | undefined {
  return Reflect.getOwnMetadata(TOOL_CONTROLLER_METADATA, target) as ToolControllerOptions | undefined;
}
