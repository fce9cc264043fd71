import { posix } from 'node:path';
import { flagOption, valueOption } from '../help.js';
import { parseArguments } from '../parse-arguments.js';
import { UsageError } from '../usage.error.js';

/** The request to `init`. */
export interface InitRequest {
  /** The file of the root module. @default `app.module.ts` in the folder of the sources */
  readonly module?: string | undefined;
  /** The application of a monorepo: its folder has this name. @default the one that the Nest CLI starts, or the only one */
  readonly project?: string | undefined;
  /** What the file and the class of the first tool are called after. @default 'greeting' */
  readonly name?: string | undefined;
}

/** The options of `init` on the command line. */
export interface InitOptions extends InitRequest {
  /** Whether to show the changes without writing them. */
  readonly isDryRun: boolean;
}

/** The options that `--help` lists. */
export const INIT_OPTIONS = {
  module: valueOption('<path>', 'File of the root module', 'src/app.module.ts'),
  project: valueOption('<name>', 'App of a monorepo, by the name of its folder'),
  name: valueOption('<name>', 'Name of the file of the sample tool', 'greeting, for src/greeting.tools.ts'),
  'dry-run': { ...flagOption('Show the changes without writing them'), default: false },
};

/**
 * Reads the arguments of `init`.
 *
 * @throws {UsageError} if they are invalid
 */
export function parseInitOptions(args: readonly string[]): InitOptions {
  const { values, positionals } = parseArguments(args, INIT_OPTIONS);
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
