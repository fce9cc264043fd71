import type { CanActivate, OnApplicationBootstrap, Type } from '@nestjs/common';
import type { HttpAdapterHost, ModuleRef } from '@nestjs/core';
import { Logger } from '../../../core/logger/logger.js';
import { mergeScopes } from '../../../core/oauth/scope.js';
import { quoteAll } from '../../../core/words/words.js';
import { findProvided } from '../../catalog/discovery/providers.js';
import { GUARDS_METADATA } from '../../catalog/invocation/nest-contexts.js';
import type { AuthSettings } from '../../settings/auth/auth-options.js';
import { McpConfigurationError } from '../../settings/mcp-configuration.error.js';
import {
  AUTHORIZATION_SERVER_FACTS,
  type AuthorizationServerFacts,
  type ServerIdentity,
} from '../../settings/mcp.constants.js';
import type { ServerSettings } from '../../settings/server-settings.js';
import type { AdvertisedScopes, DeclaredAccess } from '../access/declared-access.js';
import { McpAuthGuard } from '../mcp-auth.guard.js';
import { findPublishedResource, type PublishedResource } from '../metadata/resource-metadata.js';
import { findWarnings } from './start-up-warnings.js';

/** The endpoint, whose path is known once the application is set up. */
interface Endpoint {
  readonly path: string;
}

interface NestServices {
  readonly host: HttpAdapterHost;
  readonly moduleRef: ModuleRef;
}

/** A line of the report: a label and its value. */
type Line = readonly [name: string, facts: readonly string[]];

/** When a protected server starts, logs what to register with its identity provider and which settings look wrong. */
export class StartUpReport implements OnApplicationBootstrap {
  readonly #logger = new Logger('McpAuth');

  constructor(
    private readonly settings: ServerSettings,
    private readonly identity: ServerIdentity,
    private readonly endpoint: Endpoint,
    // The class carries the decorators that the `decorators` option applies to each controller.
    private readonly controller: Type,
    private readonly declared: DeclaredAccess,
    private readonly advertised: AdvertisedScopes,
    private readonly nest: NestServices,
  ) {}

  /** @throws {McpConfigurationError} if handlers require scopes, but `auth` is missing */
  onApplicationBootstrap(): void {
    const { auth } = this.settings;
    if (auth === undefined) return this.#assertOpen();
    // Commands and workers without an HTTP server log no report.
    if (!isServing(this.nest.host)) return;
    const { server } = this.identity;
    this.#logger.log(formatReport(server, this.#describe(auth)));
    const traps = findWarnings(this.settings, {
      endpointPath: this.endpoint.path,
      isProduction: process.env['NODE_ENV'] === 'production',
      guards: nameGuards(this.controller),
    });
    for (const trap of traps) this.#logger.warn(`Server "${server}": ${trap}`);
  }

  #assertOpen(): void {
    const { scopes, isRestricting } = this.declared;
    if (!isRestricting) return;
    const required = scopes.length === 0 ? 'scopes' : quoteAll(scopes);
    throw new McpConfigurationError(
      'auth',
      `is missing: handlers require ${required}, but callers without tokens have no scopes: set "auth", or remove "RequireScope"`,
    );
  }

  #describe(auth: AuthSettings): readonly Line[] {
    const resource = findPublishedResource(auth);
    return resource === undefined
      ? [['token validation', listMethods(auth)]]
      : this.#describeResource(auth, resource);
  }

  #describeResource(auth: AuthSettings, { uri, metadataUrl }: PublishedResource): readonly Line[] {
    const { supported, prefix } = this.advertised;
    const scopes = mergeScopes(auth.requiredScopes, this.declared.scopes, supported);
    const audiences = listAudiences(auth, uri);
    const issuers = listIssuers(auth);
    const own = this.#findOwn(issuers);
    return [
      [own === undefined ? 'audience to register' : 'audience', audiences],
      ['trusted issuers', issuers],
      ['metadata for clients', [metadataUrl]],
      own === undefined
        ? ['scopes to define', scopes]
        : ['missing in "resources"', listMissing(own, audiences, scopes)],
      ['call-dependent scopes', this.declared.listDynamic()],
      ['requested with the prefix', prefix === '' ? [] : [prefix]],
    ];
  }

  /** Finds the authorization server in this application that issues all tokens: nothing has to be registered elsewhere. */
  #findOwn(issuers: readonly string[]): AuthorizationServerFacts | undefined {
    const servers = findProvided<AuthorizationServerFacts>(this.nest.moduleRef, AUTHORIZATION_SERVER_FACTS);
    return servers.find(({ issuer }) => issuers.every((one) => one === issuer));
  }
}

/** Lists what the authorization server in this application should issue tokens for, but does not. */
function listMissing(
  { resources }: AuthorizationServerFacts,
  audiences: readonly string[],
  scopes: readonly string[],
): readonly string[] {
  const known = audiences.find((audience) => Object.hasOwn(resources, audience));
  if (known === undefined) return audiences;
  return scopes.filter((scope) => !Object.hasOwn(resources[known] ?? {}, scope));
}

function isServing({ httpAdapter }: HttpAdapterHost): boolean {
  return (httpAdapter as unknown) !== undefined && (httpAdapter as unknown) !== null;
}

function listAudiences({ jwt, introspection }: AuthSettings, uri: string): readonly string[] {
  const audiences = [...jwt.flatMap((one) => one.audiences), ...(introspection?.audiences ?? [])];
  return audiences.length > 0 ? unique(audiences) : [uri];
}

function listIssuers({ jwt, introspection, authorizationServers }: AuthSettings): readonly string[] {
  const issuers = jwt.flatMap((one) => one.issuers);
  if (introspection !== undefined) issuers.push(introspection.issuer);
  return issuers.length > 0 ? unique(issuers) : authorizationServers;
}

/** Lists the options that validate tokens. */
function listMethods({ bearer, validator }: AuthSettings): readonly string[] {
  return [
    ...(bearer.length > 0 ? ['auth.bearer'] : []),
    ...(validator === undefined ? [] : ['auth.validator']),
  ];
}

function formatReport(server: string, lines: readonly Line[]): string {
  const computed = lines.filter(([, facts]) => facts.length > 0);
  const width = Math.max(...computed.map(([name]) => name.length));
  const body = computed.map(([name, facts]) => `  ${name.padEnd(width)}  ${facts.join(' ')}`);
  return [`Server "${server}" requires tokens`, ...body].join('\n');
}

function unique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)];
}

/** A guard in a decorator's metadata. */
type Guard = Type<CanActivate> | CanActivate;

/**
 * Lists the names of guards that decorators apply to a whole controller, except `McpAuthGuard`, which admits public
 * routes and responds to others with a challenge.
 */
function nameGuards(controller: Type): readonly string[] {
  const guards = (Reflect.getMetadata(GUARDS_METADATA, controller) as readonly Guard[] | undefined) ?? [];
  const types = guards.map((guard) => (typeof guard === 'function' ? guard : guard.constructor));
  const others = types.filter((type) => type !== McpAuthGuard && !(type.prototype instanceof McpAuthGuard));
  return [...new Set(others.map(({ name }) => name))];
}
