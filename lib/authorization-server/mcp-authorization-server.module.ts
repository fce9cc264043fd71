import { ConfigurableModuleBuilder, Module, type DynamicModule } from '@nestjs/common';
import { HttpAdapterHost, ModuleRef } from '@nestjs/core';
import { nameProvidedFactory } from '../core/checks/options-factory.js';
import { Logger } from '../core/logger/logger.js';
import {
  AUTHORIZATION_SERVER_FACTS,
  type AuthorizationServerFacts,
  UPSTREAM_TOKENS,
} from '../server/settings/mcp.constants.js';
import { McpConfigurationError } from '../server/settings/mcp-configuration.error.js';
import { AuthorizationServer } from './authorization-server.js';
import { EventReporter } from './event-reporter.js';
import { McpUpstreamTokens } from './mcp-upstream-tokens.js';
import {
  buildAuthorizationServerSettings,
  type AuthorizationServerOptions,
} from './settings/authorization-server-options.js';

const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN, ASYNC_OPTIONS_TYPE } =
  new ConfigurableModuleBuilder<AuthorizationServerOptions>({ moduleName: 'McpAuthorizationServer' })
    .setClassMethodName('forRoot')
    .setFactoryMethodName('createMcpAuthorizationServerOptions')
    .setExtras({}, addServer)
    .build();

/** Options of `McpAuthorizationServerModule.forRootAsync`, which determine how the module's options are created. */
export type McpAuthorizationServerAsyncOptions = typeof ASYNC_OPTIONS_TYPE;

/**
 * Runs an OAuth 2.1 authorization server for MCP clients, in front of an identity provider where they cannot register.
 * It requires the package `oidc-provider`. Its endpoints are below the issuer's path; the application's global prefix,
 * guards and interceptors do not apply to them.
 *
 * @example
 * // In the metadata of the root module:
 * imports: [
 *   McpAuthorizationServerModule.forRoot({ issuer: 'https://desk.example.com/oauth', resources, upstream, grantScopes, secret }),
 *   McpModule.forRoot({ serverInfo, publicUrl, auth: { authorizationServers: ['https://desk.example.com/oauth'], jwt: {} } }),
 * ],
 */
@Module({})
export class McpAuthorizationServerModule extends ConfigurableModuleClass {
  /**
   * Adds an authorization server with these options.
   *
   * @throws {McpConfigurationError} if an option is invalid; the error names the first one
   * @example
   * McpAuthorizationServerModule.forRoot({ issuer, resources, upstream: upstreams.google({ clientId, clientSecret }), grantScopes, secret })
   */
  static override forRoot(options: AuthorizationServerOptions): DynamicModule {
    buildAuthorizationServerSettings(options);
    return super.forRoot(options);
  }

  /**
   * Adds an authorization server with options from a factory, or from another provider of the application.
   *
   * @example
   * McpAuthorizationServerModule.forRootAsync({
   *   inject: [ConfigService],
   *   useFactory: (config: ConfigService) => ({ secret: config.getOrThrow('MCP_SECRET'), issuer, resources, upstream, grantScopes }),
   * })
   */
  static override forRootAsync(options: McpAuthorizationServerAsyncOptions): DynamicModule {
    const definition = super.forRootAsync(options);
    const named = {
      source: options,
      subject: 'of the authorization server ',
      example: '{ issuer: "https://desk.example.com/oauth", resources, upstream, grantScopes, secret }',
    };
    const { providers = [] } = definition;
    return {
      ...definition,
      providers: nameProvidedFactory(providers, MODULE_OPTIONS_TOKEN, named, McpConfigurationError),
    };
  }

  constructor(server: AuthorizationServer, { httpAdapter }: HttpAdapterHost) {
    super();
    // Middleware added before the application initializes runs before the body parsers. An application context has no
    // adapter.
    (httpAdapter as typeof httpAdapter | undefined)?.use(server.middleware);
  }
}

function addServer(definition: DynamicModule): DynamicModule {
  return {
    ...definition,
    global: true,
    providers: [
      ...(definition.providers ?? []),
      { provide: AuthorizationServer, inject: [MODULE_OPTIONS_TOKEN, ModuleRef], useFactory: createServer },
      {
        provide: McpUpstreamTokens,
        inject: [AuthorizationServer],
        useFactory: ({ settings, tokens }: AuthorizationServer) =>
          new McpUpstreamTokens(settings.issuer, tokens),
      },
      { provide: UPSTREAM_TOKENS, useExisting: McpUpstreamTokens },
      {
        provide: AUTHORIZATION_SERVER_FACTS,
        inject: [AuthorizationServer],
        useFactory: describeServer,
      },
    ],
    exports: [McpUpstreamTokens, UPSTREAM_TOKENS],
  };
}

function describeServer({ settings }: AuthorizationServer): AuthorizationServerFacts {
  const { issuer, resources, storage, registration, maxRegistrationsPerAddress } = settings;
  return {
    issuer,
    resources,
    isStored: storage !== undefined,
    registrationsPerAddress: registration ? maxRegistrationsPerAddress : 0,
  };
}

function createServer(options: AuthorizationServerOptions, moduleRef: ModuleRef): AuthorizationServer {
  const settings = buildAuthorizationServerSettings(options);
  if (settings.storage === undefined && process.env['NODE_ENV'] === 'production') {
    new Logger('McpAuthorizationServer').warn(
      'Registrations and logins are stored in this process\'s memory: they are lost when it ends, and other processes cannot read them. Set "storage", for example to "redisAuthorizationStorage({ client })"',
    );
  }
  return new AuthorizationServer(settings, new EventReporter(settings, moduleRef));
}
