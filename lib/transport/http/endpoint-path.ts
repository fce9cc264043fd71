import { Inject, Injectable } from '@nestjs/common';
import { ApplicationConfig } from '@nestjs/core';
import { SERVER_SETTINGS } from '../../settings/mcp.constants.js';
import type { ServerSettings } from '../../settings/server-settings.js';

/** The path at which a server is reached, with the application's global prefix where that is wanted. */
@Injectable()
export class EndpointPath {
  #path: string | undefined;

  constructor(
    @Inject(SERVER_SETTINGS) private readonly settings: ServerSettings,
    private readonly application: ApplicationConfig,
  ) {}

  /** Gives the path; to be asked once the application is set up. */
  get path(): string {
    this.#path ??= this.#build();
    return this.#path;
  }

  /** Tells whether a request is for the server, with the leniency of the adapters' routers. */
  matches(url: string): boolean {
    const { path } = this;
    if (url === path) return true;
    if (url.length < path.length) return false;
    const query = url.indexOf('?');
    const pathname = (query === -1 ? url : url.slice(0, query)).toLowerCase();
    return pathname === path || pathname === path.toLowerCase() || pathname === `${path.toLowerCase()}/`;
  }

  #build(): string {
    const { mcpPath, useGlobalPrefix } = this.settings;
    const prefix = useGlobalPrefix ? trimSlashes(this.application.getGlobalPrefix()) : '';
    return prefix === '' ? mcpPath : `/${prefix}${mcpPath}`;
  }
}

function trimSlashes(text: string): string {
  return text.replace(/^\/+|\/+$/g, '');
}
