import { Inject, Injectable, RequestMethod, type Type } from '@nestjs/common';
import { PATH_METADATA } from '@nestjs/common/constants.js';
import { ApplicationConfig } from '@nestjs/core';
import { McpConfigurationError } from '../../settings/mcp-configuration.error.js';
import { MCP_CONTROLLER, SERVER_SETTINGS } from '../../settings/mcp.constants.js';
import type { ServerSettings } from '../../settings/server-settings.js';

/** Gives the controller of a server its path once the options are known, and keeps the global prefix off it. */
@Injectable()
export class ControllerRoute {
  constructor(
    @Inject(SERVER_SETTINGS) private readonly settings: ServerSettings,
    @Inject(MCP_CONTROLLER) controller: Type,
    private readonly application: ApplicationConfig,
  ) {
    takePath(application, settings);
    Reflect.defineMetadata(PATH_METADATA, settings.mcpPath, controller);
  }

  /** To be called when the global prefix is known and routes are not registered yet. */
  keepOffGlobalPrefix(): void {
    const { mcpPath, useGlobalPrefix } = this.settings;
    if (useGlobalPrefix) return;
    const options = this.application.getGlobalPrefixOptions();
    this.application.setGlobalPrefixOptions({
      ...options,
      exclude: [
        ...(options.exclude ?? []),
        {
          path: mcpPath,
          requestMethod: RequestMethod.ALL,
          pathRegex: new RegExp(`^${escapePattern(mcpPath)}/?$`, 'i'),
        },
      ],
    });
  }
}

/** The paths that servers of an application have. */
const takenPaths = new WeakMap<ApplicationConfig, Set<string>>();

/** Sees to it that no two servers of an application have one path. */
function takePath(application: ApplicationConfig, { mcpPath, useGlobalPrefix }: ServerSettings): void {
  const taken = takenPaths.get(application) ?? new Set();
  const path = `${useGlobalPrefix ? 'prefix' : ''}${mcpPath}`;
  if (taken.has(path)) {
    throw new McpConfigurationError('mcpPath', `is "${mcpPath}" in two servers: give each a path of its own`);
  }
  takenPaths.set(application, taken.add(path));
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
