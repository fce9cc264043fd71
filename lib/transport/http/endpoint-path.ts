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
  matches(target: string): boolean {
    const { path } = this;
    return target === path || isTargetOf(path, target);
  }

  #build(): string {
    const { mcpPath, useGlobalPrefix } = this.settings;
    const prefix = useGlobalPrefix ? trimSlashes(this.application.getGlobalPrefix()) : '';
    return prefix === '' ? mcpPath : `/${prefix}${mcpPath}`;
  }
}

/** Tells whether a request is for a path, with the leniency of the adapters' routers. */
export function isTargetOf(path: string, target: string): boolean {
  if (target.length < path.length) return false;
  const asked = readPath(target).toLowerCase();
  const own = path.toLowerCase();
  return asked === own || asked === `${own}/`;
}

/**
 * Reads the path out of a request target as the routers do: one that a router takes for the endpoint, and this does
 * not, would come past everything that stands before the controller.
 *
 * @see RFC 9112 §3.2
 */
function readPath(target: string): string {
  const path = target.replace(/^https?:\/\/[^/?#]*/i, '').replace(/[?#][^]*/, '');
  if (!path.includes('%')) return path;
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

function trimSlashes(text: string): string {
  return text.replace(/^\/+|\/+$/g, '');
}
