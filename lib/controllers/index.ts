export { McpControllersModule, type McpControllersAsyncOptions } from './mcp-controllers.module.js';
export { ToolController } from './tool-controller.decorator.js';
export type {
  ControllersOptions,
  ListedController,
  ToolControllerOptions,
  ToolRoute,
  ToolRouteOptions,
} from './settings/tool-controller-options.js';
