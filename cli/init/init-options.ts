import { posix } from 'node:path';
import { flagOption, valueOption } from '../help.js';
import { parseArguments } from '../parse-arguments.js';
import { UsageError } from '../usage.error.js';

/** The request to `init`. */
export interface InitRequest {
  /** The root module's file. @default `app.module.ts` in the source folder */
  readonly module?: string | undefined;
  /**
   * A monorepo's application, identified by its folder's name. @default the Nest CLI's default project, or the only
   * application
   */
  readonly project?: string | undefined;
  /** The name that the sample tool's file and class names are derived from. @default 'greeting' */
  readonly name?: string | undefined;
}

/** The options of `init` on the command line. */
export interface InitOptions extends InitRequest {
  /** Whether to show the changes without writing them. */
  readonly isDryRun: boolean;
}

/** The options that `--help` lists. */
export const INIT_OPTIONS = {
  module: valueOption('<path>', 'Root module file', 'src/app.module.ts'),
  project: valueOption('<name>', 'App in a monorepo, identified by folder name'),
  name: valueOption('<name>', "Base name for the sample tool's file", 'greeting, for src/greeting.tools.ts'),
  'dry-run': { ...flagOption('Show the changes without writing them'), default: false },
};

/**
 * Reads the arguments of `init`.
 *
 * @throws {UsageError} if they are invalid
 */
export function parseInitOptions(args: readonly string[]): InitOptions {
  const { values, positionals } = parseArguments(args, INIT_OPTIONS);
  if (positionals.length > 0) throw new UsageError('"init" accepts only options');
  const { module, name, project, 'dry-run': isDryRun } = values;
  return { ...parseInitRequest({ module, name, project }), isDryRun };
}

/**
 * Checks the options.
 *
 * @throws {UsageError} if a name or a path is invalid
 */
export function parseInitRequest({ module, name, project }: InitRequest): InitRequest {
  if (name !== undefined && !/^[a-z][a-z\d]*(?:-[a-z\d]+)*$/.test(name)) {
    throw new UsageError(
      '"--name" must consist of lowercase letters, digits and dashes, such as "order-search"',
    );
  }
  if (module === undefined) return { name, project };
  const path = posix.normalize(module.replaceAll('\\', '/'));
  const isInside = path.endsWith('.ts') && !path.startsWith('..') && !path.startsWith('/');
  if (!isInside)
    throw new UsageError('"--module" must be a ".ts" file of the application, such as "src/app.module.ts"');
  return { module: path, name, project };
}
