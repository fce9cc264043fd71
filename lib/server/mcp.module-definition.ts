import { ConfigurableModuleBuilder } from '@nestjs/common';
import type { ConfigurableModuleAsyncOptions, DynamicModule, Provider, Type } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { nameProvidedFactory } from '../core/checks/options-factory.js';
import { McpAuthGuard } from './auth/mcp-auth.guard.js';
import { DefaultServerModule } from './default-server.module.js';
import { SERVER_SERVICES } from './server-services.js';
import { withDevelopmentDefaults } from './development/development-defaults.js';
import { assertModuleSettings, MODULE, type McpModuleExtras } from './settings/module-options.js';
import { assertOptions, type McpOptions } from './settings/mcp-options.js';
import { McpConfigurationError } from './settings/mcp-configuration.error.js';
import {
  DEFAULT_SERVER,
  ENDPOINT_GUARD,
  MCP_CONTROLLER,
  SERVER_IDENTITY,
  SERVER_SETTINGS,
  type ServerIdentity,
} from './settings/mcp.constants.js';
import { buildServerSettings, type ServerSettings } from './settings/server-settings.js';
import {
  createCardController,
  createMcpController,
  createMetadataController,
} from './transport/http/controllers.js';
import { provideServer } from './server.providers.js';

/** Options for `McpModule.forRootAsync`: the source of the server's options, and the module's own settings. */
export type McpModuleAsyncOptions = ConfigurableModuleAsyncOptions<
  McpOptions & WithoutExtras,
  'createMcpOptions'
> &
  McpModuleExtras;

/** A factory runs too late for module settings, so they are passed separately. */
type WithoutExtras = { readonly [Setting in keyof McpModuleExtras]?: never };

const DEFAULT_EXTRAS: Required<McpModuleExtras> = { ...MODULE.build({}), authGuard: McpAuthGuard };

const builder = new ConfigurableModuleBuilder<McpOptions>({ moduleName: 'Mcp' })
  .setClassMethodName('forRoot')
  .setFactoryMethodName('createMcpOptions')
  .setExtras(DEFAULT_EXTRAS, addServer);

export const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN, OPTIONS_TYPE, ASYNC_OPTIONS_TYPE } =
  builder.build();

/** Adds all providers of a server to the module that holds its options. */
function addServer(definition: DynamicModule, given: McpModuleExtras): DynamicModule {
  const { server, isDefault, isGlobal, decorators, authGuard } = fillExtras(given);
  const controllers = {
    endpoint: createMcpController(decorators),
    metadata: createMetadataController(decorators),
    card: createCardController(decorators),
  };
  const identity: ServerIdentity = { server, isDefault };
  return {
    ...definition,
    global: isGlobal,
    imports: [...(definition.imports ?? []), DefaultServerModule],
    controllers: Object.values(controllers),
    providers: [
      ...(definition.providers ?? []),
      { provide: SERVER_IDENTITY, useValue: identity },
      { provide: SERVER_SETTINGS, useFactory: createSettings, inject: [MODULE_OPTIONS_TOKEN] },
      { provide: MCP_CONTROLLER, useValue: controllers.endpoint },
      ...SERVER_SERVICES.map(({ type, getToken }) => ({ provide: getToken(server), useExisting: type })),
      provideGuard(authGuard as Type<McpAuthGuard>),
      ...provideServer(identity, controllers),
    ],
    exports: [...SERVER_SERVICES.map(({ getToken }) => getToken(server)), DefaultServerModule],
  };
}

/** Provides a server's guard, or nothing for a server without authorization. */
function provideGuard(guard: Type<McpAuthGuard>): Provider {
  return {
    provide: ENDPOINT_GUARD,
    useFactory: ({ auth }: ServerSettings, moduleRef: ModuleRef) => auth && moduleRef.create(guard),
    inject: [SERVER_SETTINGS, ModuleRef],
  };
}

/** Treats `undefined` as absent. */
function fillExtras(given: McpModuleExtras): Required<McpModuleExtras> {
  const { server, isDefault, isGlobal, decorators, authGuard } = given;
  assertModuleSettings({ server, isDefault, isGlobal, decorators, authGuard });
  return { authGuard: McpAuthGuard, ...MODULE.build(given) };
}

function createSettings(options: unknown): ServerSettings {
  assertOptions(options);
  return buildServerSettings(withDevelopmentDefaults(options));
}

/** Makes errors name the options' source and server. */
export function nameOptionsFactory(
  definition: DynamicModule,
  { server = DEFAULT_SERVER, ...source }: McpModuleAsyncOptions,
): DynamicModule {
  const named = {
    source,
    subject: `of the server "${server}" `,
    example: '{ serverInfo: { name: "desk", version: "1.0.0" } }',
  };
  const providers = nameProvidedFactory(
    definition.providers ?? [],
    MODULE_OPTIONS_TOKEN,
    named,
    McpConfigurationError,
  );
  return { ...definition, providers };
}
