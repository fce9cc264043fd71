import { posix } from 'node:path';
import { parseArgs } from 'node:util';
import { explainArguments } from '../explain-arguments.js';
import { InitError } from './init.error.js';
import type { InitRequest } from './project.interface.js';

/** What the command line asks `init` for. */
export interface InitOptions extends InitRequest {
  /** Whether to say what would be done, and do nothing. */
  readonly isDryRun: boolean;
}

const OPTIONS = {
  module: { type: 'string' },
  name: { type: 'string' },
  'dry-run': { type: 'boolean', default: false },
} as const;

/**
 * Reads the arguments of `init`.
 *
 * @throws {InitError} where they ask for nothing that can be done
 */
export function parseInitOptions(args: readonly string[]): InitOptions {
  const { module, name, 'dry-run': isDryRun } = readArguments(args);
  return { ...parseInitRequest({ module, name }), isDryRun };
}

/**
 * Checks what is asked for.
 *
 * @throws {InitError} where a name or a path is of another form
 */
export function parseInitRequest({ module, name }: InitRequest): InitRequest {
  if (name !== undefined && !/^[a-z][a-z\d]*(?:-[a-z\d]+)*$/.test(name)) {
    throw new InitError('"--name" must be of small letters, digits and dashes, such as "order-search"');
  }
  if (module === undefined) return { name };
  const path = posix.normalize(module.replaceAll('\\', '/'));
  const isInside = path.endsWith('.ts') && !path.startsWith('..') && !path.startsWith('/');
  if (!isInside)
    throw new InitError('"--module" must be a ".ts" file of the application, such as "src/app.module.ts"');
  return { module: path, name };
}

function readArguments(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS }).values;
  } catch (cause) {
    const otherwise = 'There is an argument that is not known, or lacks its value';
    const message = explainArguments(cause, { args, options: OPTIONS, otherwise });
    throw Object.assign(new InitError(message), { cause });
  }
}
