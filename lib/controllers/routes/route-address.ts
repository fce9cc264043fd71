import { VERSION_NEUTRAL, VersioningType, type VersioningOptions } from '@nestjs/common';
import { HOST_METADATA, MODULE_PATH, PATH_METADATA, VERSION_METADATA } from '@nestjs/common/constants.js';
import type { ApplicationConfig, ModulesContainer } from '@nestjs/core';
import { RoutePathFactory } from '@nestjs/core/router/route-path-factory.js';
import { quoteAll } from '../../core/words/words.js';
import type { ToolControllerOptions } from '../settings/tool-controller-options.js';
import type { FoundRoute } from './found-route.js';
import { PathTemplate } from './path-template.js';
import { RouteRefusal } from './route-refusal.js';

/** A route's address: its path, and the headers that select its version and host. */
export interface RouteAddress {
  readonly path: PathTemplate;
  readonly headers: { readonly [name: string]: string };
}

type Version = string | typeof VERSION_NEUTRAL;

/** Finds route addresses with Nest's own rules. */
export class RouteAddresses {
  readonly #paths: RoutePathFactory;

  constructor(
    private readonly config: ApplicationConfig,
    private readonly modules: ModulesContainer,
  ) {
    this.#paths = new RoutePathFactory(config);
  }

  /**
   * Returns a route's address. If the route has several paths, the first is used.
   *
   * @throws {RouteRefusal} if the route has no address that a tool can use
   */
  find(route: FoundRoute, { host, version: chosen }: ToolControllerOptions): RouteAddress {
    const versioning = this.config.getVersioning();
    const version = selectVersion(versioning && readVersions(route, versioning), chosen);
    const [path = '/'] = this.#paths.create(
      {
        ctrlPath: first(Reflect.getMetadata(PATH_METADATA, route.controller)),
        methodPath: first(Reflect.getMetadata(PATH_METADATA, route.handler)),
        modulePath: this.#findModulePath(route),
        globalPrefix: this.config.getGlobalPrefix(),
        ...(version !== undefined && { methodVersion: version }),
        ...(versioning && { versioningOptions: versioning }),
      },
      route.requestMethod,
    );
    return {
      path: parsePath(path),
      headers: {
        accept: 'application/json',
        ...(versioning && typeof version === 'string' && buildVersionHeader(versioning, version)),
        ...(host !== undefined && { host: assertHost(route, host) }),
      },
    };
  }

  #findModulePath({ module: { metatype } }: FoundRoute): string {
    const key = `${MODULE_PATH}${this.modules.applicationId}`;
    const found: unknown = Reflect.getMetadata(key, metatype) ?? Reflect.getMetadata(MODULE_PATH, metatype);
    return typeof found === 'string' ? found : '';
  }
}

function parsePath(path: string): PathTemplate {
  try {
    return new PathTemplate(path);
  } catch (error) {
    throw new RouteRefusal(`has an unsupported path: ${(error as SyntaxError).message}`, { cause: error });
  }
}

function first(given: unknown): string {
  const [path] = Array.isArray(given) ? (given as readonly unknown[]) : [given];
  const text = typeof path === 'string' ? path : '';
  return text.startsWith('/') ? text : `/${text}`;
}

function readVersions(
  { controller, handler }: FoundRoute,
  { defaultVersion }: VersioningOptions,
): readonly Version[] {
  const found: unknown =
    Reflect.getMetadata(VERSION_METADATA, handler) ??
    Reflect.getMetadata(VERSION_METADATA, controller) ??
    defaultVersion;
  if (found === undefined) return [];
  return Array.isArray(found) ? (found as readonly Version[]) : [found as Version];
}

function selectVersion(versions: readonly Version[] = [], chosen: string | undefined): Version | undefined {
  if (chosen === undefined) return versions[0];
  if (versions.includes(chosen) || versions.includes(VERSION_NEUTRAL)) return chosen;
  const known = versions.length === 0 ? 'no version' : quoteAll(versions.map(String));
  throw new RouteRefusal(`has ${known}, but "version" is "${chosen}"`);
}

function buildVersionHeader(
  options: VersioningOptions,
  version: string,
): { readonly [name: string]: string } {
  switch (options.type) {
    case VersioningType.HEADER:
      return { [options.header.toLowerCase()]: version };
    case VersioningType.MEDIA_TYPE:
      return { accept: `application/json;${options.key}${version}` };
    case VersioningType.CUSTOM:
      throw new RouteRefusal(
        'has a custom version, and a tool cannot build a request that the application\'s "extractor" would match',
      );
    default:
      return {};
  }
}

function assertHost({ controller }: FoundRoute, host: string): string {
  if (Reflect.getMetadata(HOST_METADATA, controller) !== undefined) return host;
  throw new RouteRefusal(`is not bound to a host, but "host" is "${host}"`);
}
