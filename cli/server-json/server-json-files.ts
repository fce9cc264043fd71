import { existsSync, readFileSync } from 'node:fs';
import { isObject } from '../../lib/core/protocol/json-rpc.js';
import { UsageError } from '../usage.error.js';

/** Where the registry's publisher looks for it. */
export const SERVER_JSON = 'server.json';

/** A `package.json`. */
export type PackageManifest = Readonly<Record<string, unknown>>;

/**
 * Reads the `package.json` of this folder, or another one.
 *
 * @throws {UsageError} if there is none, or it is not JSON
 */
export function readManifest(path: string): PackageManifest {
  if (!existsSync(path)) {
    throw new UsageError(`There is no "${path}": run the command in the folder of the package`);
  }
  try {
    const manifest: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (isObject(manifest)) return manifest;
  } catch (cause) {
    throw new UsageError(`"${path}" is not JSON`, { cause });
  }
  throw new UsageError(`"${path}" must be a JSON object`);
}

/** Writes a `server.json` as it stands in its file. */
export function formatServerJson(document: object): string {
  return `${JSON.stringify(document, undefined, 2)}\n`;
}

/** Reads the JSON of a file. Returns `undefined` if the file is missing or is not JSON. */
export function readDocument(path: string): unknown {
  if (!existsSync(path)) return undefined;
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}
