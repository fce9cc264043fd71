import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArguments } from '../parse-arguments.js';
import { UsageError } from '../usage.error.js';

/** The options of `migrate` on the command line. */
export interface MigrateOptions {
  /** The folder of the project. */
  readonly folder: string;
  /** Whether to write without asking. */
  readonly isConfirmed: boolean;
  /** Whether to show the changes, and write nothing. */
  readonly isDryRun: boolean;
  /** Whether to write over what git does not have yet. */
  readonly isForced: boolean;
}

const OPTIONS = {
  project: { type: 'string', default: '.' },
  yes: { type: 'boolean', default: false },
  'dry-run': { type: 'boolean', default: false },
  force: { type: 'boolean', default: false },
} as const;

/**
 * Reads the arguments of `migrate`.
 *
 * @throws {UsageError} if they ask for nothing that can be done
 */
export function parseMigrateOptions(args: readonly string[], folder: string): MigrateOptions {
  const { values, positionals } = parseArguments(args, OPTIONS);
  if (positionals.length > 0) throw new UsageError('"migrate" takes no arguments besides its options');
  const project = resolve(folder, values.project);
  if (statSync(project, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new UsageError('"--project" must be the folder of an application, such as "apps/shop"');
  }
  return { folder: project, isConfirmed: values.yes, isDryRun: values['dry-run'], isForced: values.force };
}
