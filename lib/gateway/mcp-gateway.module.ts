import { ConfigurableModuleBuilder, Module, type DynamicModule } from '@nestjs/common';
import { McpClients } from '../client/module/index.js';
import { McpClientsModule } from '../client/module/mcp-client.module.js';
import { getCatalogToken, getNotifierToken, type McpCatalog, type McpNotifier } from '../index.js';
import { McpGateway } from './mcp-gateway.js';
import {
  buildGatewaySettings,
  type GatewayModuleExtras,
  type GatewayOptions,
} from './settings/gateway-options.js';

const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN, ASYNC_OPTIONS_TYPE } =
  new ConfigurableModuleBuilder<GatewayOptions>({ moduleName: 'McpGateway' })
    .setClassMethodName('forRoot')
    .setFactoryMethodName('createMcpGatewayOptions')
    .setExtras<GatewayModuleExtras>({}, addGateway)
    .build();

/** Options of `McpGatewayModule.forRootAsync`, which determine how the module's options are created. */
export type McpGatewayAsyncOptions = typeof ASYNC_OPTIONS_TYPE;

/**
 * Offers other MCP servers' tools, resources and prompts as if this server's handlers provided them. It requires the
 * package `@modelcontextprotocol/client`.
 *
 * @example
 * // In the metadata of the root module:
 * imports: [
 *   McpModule.forRoot({ serverInfo: { name: 'desk', version: '1.0.0' } }),
 *   McpGatewayModule.forRoot({ servers: { files: { command: 'some-file-server' } } }),
 * ],
 */
@Module({})
export class McpGatewayModule extends ConfigurableModuleClass {
  /**
   * Adds a gateway with these options.
   *
   * @throws {McpConfigurationError} if an option is invalid; the error names the first one
   * @example
   * McpGatewayModule.forRoot({ servers: { github: { url: 'https://mcp.example.com/mcp', requiredScopes: ['github'] } } })
   */
  static override forRoot(options: GatewayOptions & GatewayModuleExtras): DynamicModule {
    const { server: _server, ...own } = options;
    buildGatewaySettings(own);
    return super.forRoot(options);
  }

  /**
   * Adds a gateway with options from a factory, or from another provider of the application.
   *
   * @example
   * McpGatewayModule.forRootAsync({
   *   inject: [ConfigService],
   *   useFactory: (config: ConfigService) => ({ servers: { files: { url: config.getOrThrow('FILES_URL') } } }),
   * })
   */
  static override forRootAsync(options: McpGatewayAsyncOptions): DynamicModule {
    return super.forRootAsync(options);
  }
}

function addGateway(definition: DynamicModule, { server }: GatewayModuleExtras): DynamicModule {
  return {
    ...definition,
    imports: [...(definition.imports ?? []), McpClientsModule],
    providers: [
      ...(definition.providers ?? []),
      {
        provide: McpGateway,
        inject: [MODULE_OPTIONS_TOKEN, getCatalogToken(server), McpClients, getNotifierToken(server)],
        useFactory: (
          { servers }: GatewayOptions,
          catalog: McpCatalog,
          clients: McpClients,
          notifier: McpNotifier,
        ) => new McpGateway(buildGatewaySettings({ servers }), catalog, clients, notifier),
      },
    ],
    exports: [McpGateway],
  };
}
