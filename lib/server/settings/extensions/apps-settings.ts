import { fileURLToPath } from 'node:url';
import { resolve } from 'node:path';
import type { AppsOptions } from './app-options.interface.js';

/** Where the pages of apps are, with every default filled in. */
export interface AppsSettings {
  /** An absolute path. */
  readonly directory: string;
  readonly watch: boolean;
  readonly showToAll: boolean;
}

/** Fills every default in. */
export function buildAppsSettings({
  directory = '.',
  watch,
  showToAll = false,
}: AppsOptions = {}): AppsSettings {
  return {
    directory: resolve(toPath(directory)),
    watch: watch ?? process.env['NODE_ENV'] === 'development',
    showToAll,
  };
}

/** Returns the path of a file that is named by a path or by a `file:` URL. */
export function toPath(place: string | URL): string {
  const isUrl = place instanceof URL || place.startsWith('file:');
  return isUrl ? fileURLToPath(place) : place;
}
