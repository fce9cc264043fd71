import {
  Inject,
  Module,
  Optional,
  type CanActivate,
  type DynamicModule,
  type NestModule,
} from '@nestjs/common';
import { DiscoveryModule, ModuleRef } from '@nestjs/core';
import type { ComposedServer } from './composition/composed-server.js';
import {
  ConfigurableModuleClass,
  nameOptionsFactory,
  type McpModuleAsyncOptions,
} from './mcp.module-definition.js';
import { assertAsyncOptions, assertOptions, type McpOptions } from './settings/mcp-options.js';
import {
  assertFeatureAssignment,
  type FeatureAssignment,
  type McpModuleExtras,
} from './settings/module-options.js';
import { McpConfigurationError } from './settings/mcp-configuration.error.js';
import {
  COMPOSED_SERVER,
  ENDPOINT_GUARD,
  FEATURE_ASSIGNMENT,
  SERVER_IDENTITY,
} from './settings/mcp.constants.js';

/**
 * Serves the Model Context Protocol from the application's own providers.
 *
 * @example
 * // In the metadata of the root module:
 * imports: [McpModule.forRoot({ serverInfo: { name: 'desk', version: '1.0.0' } })],
 * providers: [TicketTools],
 */
@Module({ imports: [DiscoveryModule] })
export class McpModule extends ConfigurableModuleClass implements NestModule {
  constructor(
    private readonly moduleRef: ModuleRef,
    @Optional() @Inject(SERVER_IDENTITY) identity?: unknown,
  ) {
    super();
    if (identity !== undefined) return;
    throw new McpConfigurationError(
      'serverInfo',
      'is required: import "McpModule.forRoot({ serverInfo: { name: "desk", version: "1.0.0" } })" instead of the class',
    );
  }

  /**
   * Adds a server with these options.
   *
   * @throws {McpConfigurationError} if an option is invalid
   * @example
   * McpModule.forRoot({ serverInfo: { name: 'desk', version: '1.0.0' }, mcpPath: '/mcp' })
   */
  static override forRoot(options: McpOptions & McpModuleExtras): DynamicModule {
    if (typeof options !== 'object' || options === null) assertOptions(options);
    return super.forRoot(options);
  }

  /**
   * Adds a server with options from a factory, or from another provider in the application.
   *
   * @throws {McpConfigurationError} if a property is invalid, or all of `useFactory`, `useClass` and `useExisting` are missing
   * @example
   * McpModule.forRootAsync({
   *   imports: [ConfigModule],
   *   inject: [ConfigService],
   *   useFactory: (config: ConfigService) => ({
   *     serverInfo: { name: 'desk', version: config.getOrThrow('VERSION') },
   *   }),
   * })
   */
  static override forRootAsync(options: McpModuleAsyncOptions): DynamicModule {
    assertAsyncOptions(options);
    return nameOptionsFactory(super.forRootAsync(options), options);
  }

  /**
   * Assigns some providers' handlers to one of the application's servers. It does not provide the classes: list them
   * in the module's `providers` too.
   *
   * @throws {McpConfigurationError} if an assignment property is invalid
   * @example
   * // In the metadata of the module of these providers:
   * imports: [McpModule.forFeature({ server: 'admin', providers: [AdminTools] })],
   * providers: [AdminTools],
   */
  static forFeature(assignment: FeatureAssignment): DynamicModule {
    assertFeatureAssignment(assignment);
    return {
      module: McpFeatureModule,
      providers: [{ provide: FEATURE_ASSIGNMENT, useValue: assignment }],
    };
  }

  /** Called by Nest before routes are registered. */
  configure(): void {
    const { http, documents } = this.moduleRef.get<ComposedServer>(COMPOSED_SERVER).parts;
    http.route.claimPath(McpModule, this.moduleRef.get<CanActivate | undefined>(ENDPOINT_GUARD));
    documents.metadataRoutes.claimPaths();
    documents.cardRoutes.claimPaths();
  }
}

/** Holds one `forFeature` assignment. */
@Module({})
export class McpFeatureModule {}
