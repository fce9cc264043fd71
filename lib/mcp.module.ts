import { Module, type DynamicModule, type NestModule } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { ConfigurableModuleClass } from './mcp.module-definition.js';
import type { FeatureAssignment } from './settings/feature-assignment.interface.js';
import { FEATURE_ASSIGNMENT } from './settings/mcp.constants.js';
import { ControllerRoute } from './transport/http/controller-route.js';

/**
 * Serves the Model Context Protocol from the application's own providers.
 *
 * @example
 * \@Module({
 *   imports: [McpModule.forRoot({ serverInfo: { name: 'desk', version: '1.0.0' } })],
 *   providers: [TicketTools],
 * })
 * export class AppModule {}
 */
@Module({ imports: [DiscoveryModule] })
export class McpModule extends ConfigurableModuleClass implements NestModule {
  constructor(private readonly route: ControllerRoute) {
    super();
  }

  /**
   * Says to which server of the application the handlers of some providers belong.
   *
   * @example
   * \@Module({
   *   imports: [McpModule.forFeature({ server: 'admin', providers: [AdminTools] })],
   *   providers: [AdminTools],
   * })
   * export class AdminModule {}
   */
  static forFeature(assignment: FeatureAssignment): DynamicModule {
    return {
      module: McpFeatureModule,
      providers: [{ provide: FEATURE_ASSIGNMENT, useValue: assignment }],
    };
  }

  /** Is called by Nest before routes are registered. */
  configure(): void {
    this.route.keepOffGlobalPrefix();
  }
}

/** Carries one assignment of `forFeature`. */
@Module({})
export class McpFeatureModule {}
