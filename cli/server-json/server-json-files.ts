import { existsSync, readFileSync } from 'node:fs';
import { isObject } from '../../lib/core/protocol/json-rpc.js';
import { UsageError } from '../usage.error.js';

/** Where the registry's publisher tool looks for the document. */
export const SERVER_JSON = 'server.json';

/** A `package.json`. */
export type PackageManifest = Readonly<Record<string, unknown>>;

/**
 * Reads a `package.json`.
 *
 * @throws {UsageError} if it does not exist or is not JSON
 */
export function readManifest(path: string): PackageManifest {
  if (!existsSync(path)) {
    throw new UsageError(`There is no "${path}": run the command in the package folder`);
  }
  try {
    const manifest: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (isObject(manifest)) return manifest;
  } catch (cause) {
    throw new UsageError(`"${path}" is not JSON`, { cause });
  }
  throw new UsageError(`"${path}" must be a JSON object`);
}

/** Formats a `server.json` as its file's content. */
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
