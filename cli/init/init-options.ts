import { posix } from 'node:path';
import { parseArguments } from '../parse-arguments.js';
import { UsageError } from '../usage.error.js';
import type { InitRequest } from './init-request.interface.js';

/** The options of `init` on the command line. */
export interface InitOptions extends InitRequest {
  /** Whether to say what would be done, and do nothing. */
  readonly isDryRun: boolean;
}

const OPTIONS = {
  module: { type: 'string' },
  name: { type: 'string' },
  project: { type: 'string' },
  'dry-run': { type: 'boolean', default: false },
} as const;

/**
 * Reads the arguments of `init`.
 *
 * @throws {UsageError} if they ask for nothing that can be done
 */
export function parseInitOptions(args: readonly string[]): InitOptions {
  const { values, positionals } = parseArguments(args, OPTIONS);
  if (positionals.length > 0) throw new UsageError('"init" takes no arguments besides its options');
  const { module, name, project, 'dry-run': isDryRun } = values;
  return { ...parseInitRequest({ module, name, project }), isDryRun };
}

/**
 * Checks the options.
 *
 * @throws {UsageError} if a name or a path is of another form
 */
export function parseInitRequest({ module, name, project }: InitRequest): InitRequest {
  if (name !== undefined && !/^[a-z][a-z\d]*(?:-[a-z\d]+)*$/.test(name)) {
    throw new UsageError('"--name" must be of small letters, digits and dashes, such as "order-search"');
  }
  if (module === undefined) return { name, project };
  const path = posix.normalize(module.replaceAll('\\', '/'));
  const isInside = path.endsWith('.ts') && !path.startsWith('..') && !path.startsWith('/');
  if (!isInside)
    throw new UsageError('"--module" must be a ".ts" file of the application, such as "src/app.module.ts"');
  return { module: path, name, project };
}
