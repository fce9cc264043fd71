import { Inject, Injectable, RequestMethod, type Type } from '@nestjs/common';
import { PATH_METADATA } from '@nestjs/common/constants.js';
import { ApplicationConfig } from '@nestjs/core';
import { McpConfigurationError } from '../../settings/mcp-configuration.error.js';
import { MCP_CONTROLLER, SERVER_SETTINGS } from '../../settings/mcp.constants.js';
import type { ServerSettings } from '../../settings/server-settings.js';
import { EndpointPath } from './endpoint-path.js';

type PrefixOptions = ReturnType<ApplicationConfig['getGlobalPrefixOptions']>;
type ExcludedRoute = NonNullable<PrefixOptions['exclude']>[number];

/** Gives the controller of a server its path once the options are known, and keeps the global prefix off it. */
@Injectable()
export class ControllerRoute {
  constructor(
    @Inject(SERVER_SETTINGS) private readonly settings: ServerSettings,
    @Inject(MCP_CONTROLLER) controller: Type,
    private readonly endpoint: EndpointPath,
    private readonly application: ApplicationConfig,
  ) {
    const { mcpPath, useGlobalPrefix } = settings;
    Reflect.defineMetadata(PATH_METADATA, mcpPath, controller);
    if (!useGlobalPrefix) excludeFromPrefix(application, mcpPath);
  }

  /**
   * Sees to it that no two servers of an application have one path; to be called when the global prefix is known.
   *
   * @throws {McpConfigurationError} when another server has the path, with the prefix or before it
   */
  takePath(): void {
    const taken = takenPaths.get(this.application) ?? new Set();
    takenPaths.set(this.application, taken);
    // Routers may take upper and lower case for the same.
    const paths = new Set([this.settings.mcpPath.toLowerCase(), this.endpoint.path.toLowerCase()]);
    for (const path of paths) {
      if (taken.has(path)) {
        throw new McpConfigurationError(
          'mcpPath',
          `is "${path}" in two servers: give each a path of its own`,
        );
      }
      taken.add(path);
    }
  }
}

/** The paths that servers of an application have. Nest knows routes by what they are without the prefix. */
const takenPaths = new WeakMap<ApplicationConfig, Set<string>>();

/**
 * Adds a path to those that the application excludes from its prefix. `setGlobalPrefix()` is yet to be called and sets
 * the list anew, and the application's middleware is mounted by the list before any module could add to it then.
 */
function excludeFromPrefix(application: ApplicationConfig, path: string): void {
  const route: ExcludedRoute = {
    path,
    requestMethod: RequestMethod.ALL,
    pathRegex: new RegExp(`^${escapePattern(path)}/?$`, 'i'),
  };
  const readOptions = application.getGlobalPrefixOptions.bind(application);
  application.getGlobalPrefixOptions = () => {
    const options: PrefixOptions = readOptions();
    return { ...options, exclude: [...(options.exclude ?? []), route] };
  };
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
