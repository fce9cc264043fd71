import { Module, type DynamicModule, type InjectionToken, type Provider, type Type } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { nameFactory } from '../../core/checks/options-factory.js';
import { findClientName, getMcpClientOptionsToken, getMcpClientToken } from './client-module.constants.js';
import { McpClientConfigurationError } from './errors.js';
import { InputRequestHandlerCreator } from './handlers/input-request-handler-creator.js';
import { InputRequestHandlers } from './handlers/input-request-handlers.js';
import { McpClientHealthIndicator } from './health/mcp-client.health-indicator.js';
import { McpClients } from './mcp-clients.js';
import {
  assertClientOptions,
  assertNamed,
  assertRegistrations,
  type McpClientAsyncRegistration,
  type McpClientOptions,
  type McpClientOptionsFactory,
  type McpClientRegistration,
} from './options/mcp-client-options.js';

/** The providers that all registrations share. Nest creates them once. */
@Module({
  imports: [DiscoveryModule],
  providers: [InputRequestHandlerCreator, InputRequestHandlers, McpClients, McpClientHealthIndicator],
  exports: [McpClients, McpClientHealthIndicator],
})
export class McpClientsModule {}

/**
 * Makes MCP server clients injectable everywhere in the application.
 *
 * @example
 * // In the metadata of the root module:
 * imports: [McpClientModule.forRoot([{ name: 'desk', url: 'https://desk.example.com/mcp' }])],
 */
@Module({})
export class McpClientModule {
  /**
   * Registers clients with these options. You can register more clients in other modules.
   *
   * @throws {McpClientConfigurationError} if a property is invalid; the error names it
   * @example
   * McpClientModule.forRoot([
   *   { name: 'desk', url: 'https://desk.example.com/mcp', auth: new StaticTokenSource(token) },
   *   { name: 'files', command: 'npx', args: ['some-server'] },
   * ])
   */
  static forRoot(clients: readonly McpClientRegistration[]): DynamicModule {
    assertRegistrations(clients);
    const providers = clients.map(({ name, ...options }) => provideClient(name, { useValue: options }));
    return defineModule(providers);
  }

  /**
   * Registers clients with options from other providers.
   *
   * @throws {McpClientConfigurationError} if a name is missing or taken, or the source of the options is missing
   * @example
   * McpClientModule.forRootAsync([
   *   {
   *     name: 'desk',
   *     imports: [ConfigModule],
   *     inject: [ConfigService],
   *     useFactory: (config: ConfigService) => ({ url: config.getOrThrow('DESK_URL') }),
   *   },
   * ])
   */
  static forRootAsync(clients: readonly McpClientAsyncRegistration[]): DynamicModule {
    assertNamed(clients);
    const providers = clients.map((client, index) => provideClient(client.name, findSource(client, index)));
    return defineModule(providers, clients);
  }
}

/** The source of a client's options. */
type OptionsSource =
  | { readonly useValue: McpClientOptions }
  | {
      readonly useFactory: (...args: never[]) => unknown;
      readonly inject: readonly unknown[];
      readonly own?: Provider;
    };

function defineModule(
  providers: readonly (readonly Provider[])[],
  clients: readonly McpClientAsyncRegistration[] = [],
): DynamicModule {
  const all = providers.flat();
  const tokens = all.map((provider) => (provider as { readonly provide: InjectionToken }).provide);
  return {
    module: McpClientModule,
    global: true,
    imports: [McpClientsModule, ...clients.flatMap(({ imports = [] }) => [...imports])],
    providers: all,
    exports: [McpClientsModule, ...tokens.filter((token) => findClientName(token) !== undefined)],
  };
}

function provideClient(name: string, source: OptionsSource): readonly Provider[] {
  const optionsToken = getMcpClientOptionsToken(name);
  const { own, ...options } = { own: undefined, ...source };
  return [
    ...(own === undefined ? [] : [own]),
    { provide: optionsToken, ...options } as Provider,
    {
      provide: getMcpClientToken(name),
      useFactory: (clients: McpClients, given: unknown) => {
        assertClientOptions(`clients.${name}`, given);
        return clients.register(name, given);
      },
      inject: [McpClients, optionsToken],
    },
  ];
}

function findSource(client: McpClientAsyncRegistration, index: number): OptionsSource {
  const { name, useFactory, inject = [], useClass, useExisting } = client;
  const example = '{ url: "https://desk.example.com/mcp" }';
  const watch = (make: (...args: never[]) => unknown, source: string, subject = '') =>
    nameFactory(make, { option: `clients.${name}.${source}`, subject, example }, McpClientConfigurationError);
  if (useFactory !== undefined) return { useFactory: watch(useFactory, 'useFactory'), inject };
  const factory = useExisting ?? useClass;
  if (factory === undefined) {
    throw new McpClientConfigurationError(
      `clients[${index}].useFactory`,
      `is required: set it to a value such as () => (${example}), or give "useClass" or "useExisting"`,
    );
  }
  const create = (given: McpClientOptionsFactory) => given.createMcpClientOptions();
  const source = useExisting === undefined ? 'useClass' : 'useExisting';
  return {
    useFactory: watch(create, source, `(${factory.name}) `),
    inject: [factory],
    ...(useExisting === undefined && { own: factory as Type }),
  };
}
