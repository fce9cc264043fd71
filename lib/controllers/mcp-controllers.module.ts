import { ConfigurableModuleBuilder, Module, type DynamicModule } from '@nestjs/common';
import {
  ApplicationConfig,
  DiscoveryModule,
  DiscoveryService,
  HttpAdapterHost,
  MetadataScanner,
  ModuleRef,
  ModulesContainer,
} from '@nestjs/core';
import { asserting } from '../core/checks/option-checks.js';
import { McpConfigurationError } from '../server/settings/mcp-configuration.error.js';
import { ControllerTools } from './controller-tools.js';
import { RouteDispatcher } from './dispatch/route-dispatcher.js';
import { RouteGuard } from './dispatch/route.guard.js';
import { RouteAddresses } from './routes/route-address.js';
import { RouteExplorer } from './routes/route.explorer.js';
import { CONTROLLERS, type ControllersOptions } from './settings/tool-controller-options.js';

const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN, OPTIONS_TYPE, ASYNC_OPTIONS_TYPE } =
  new ConfigurableModuleBuilder<ControllersOptions>({ moduleName: 'McpControllers' })
    .setClassMethodName('forRoot')
    .setFactoryMethodName('createMcpControllersOptions')
    .setExtras({}, addTools)
    .build();

/** Options of `McpControllersModule.forRootAsync`, which determine how the module's options are created. */
export type McpControllersAsyncOptions = typeof ASYNC_OPTIONS_TYPE;

/**
 * Turns the routes of `@ToolController()` classes into MCP tools. Import it once, next to `McpModule`.
 *
 * @example
 * // In the metadata of the root module:
 * imports: [McpModule.forRoot({ serverInfo }), McpControllersModule.forRoot()],
 * controllers: [CatsController],
 */
@Module({})
export class McpControllersModule extends ConfigurableModuleClass {
  /**
   * Adds the tools for all selected controllers.
   *
   * @example
   * McpControllersModule.forRoot({ controllers: [{ controller: HealthController, prefix: 'health_' }] })
   */
  static override forRoot(options: typeof OPTIONS_TYPE = {}): DynamicModule {
    return super.forRoot(options);
  }

  /**
   * Adds the tools for all selected controllers, with options from a factory or from another provider of the application.
   *
   * @example
   * McpControllersModule.forRootAsync({
   *   inject: [ConfigService],
   *   useFactory: (config: ConfigService) => ({ maxResponseBytes: config.get('MAX_RESPONSE_BYTES') }),
   * })
   */
  static override forRootAsync(options: McpControllersAsyncOptions): DynamicModule {
    return super.forRootAsync(options);
  }

  /** Guards added later by the application run after this one. */
  constructor(guard: RouteGuard, config: ApplicationConfig) {
    super();
    config.addGlobalGuard(guard);
  }
}

function addTools(definition: DynamicModule): DynamicModule {
  return {
    ...definition,
    imports: [...(definition.imports ?? []), DiscoveryModule],
    providers: [
      ...(definition.providers ?? []),
      RouteGuard,
      {
        provide: ControllerTools,
        inject: [
          MODULE_OPTIONS_TOKEN,
          RouteGuard,
          HttpAdapterHost,
          ModuleRef,
          DiscoveryService,
          MetadataScanner,
          ApplicationConfig,
          ModulesContainer,
        ],
        useFactory: createTools,
      },
    ],
  };
}

/** @throws {McpConfigurationError} for the first option that is wrong */
function createTools(
  options: ControllersOptions,
  guard: RouteGuard,
  host: HttpAdapterHost,
  moduleRef: ModuleRef,
  ...[discovery, scanner, config, modules]: [
    DiscoveryService,
    MetadataScanner,
    ApplicationConfig,
    ModulesContainer,
  ]
): ControllerTools {
  asserting(McpConfigurationError, () => CONTROLLERS.check('controllers', options));
  const settings = CONTROLLERS.build(options);
  const parts = {
    explorer: new RouteExplorer(discovery, scanner, settings.controllers),
    addresses: new RouteAddresses(config, modules),
    dispatcher: new RouteDispatcher(host, guard, settings.maxResponseBytes),
  };
  return new ControllerTools(parts, host, moduleRef, settings);
}
