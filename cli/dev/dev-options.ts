import { flagOption, valueOption } from '../help.js';
import { parseArguments } from '../parse-arguments.js';
import { UsageError } from '../usage.error.js';

/** The options of the command. */
export interface DevOptions {
  /** The script that is to be run; absent if it is to be found. */
  readonly script: string | undefined;
  /** The project of a monorepo that is to be started. */
  readonly project: string | undefined;
  readonly opensBrowser: boolean;
  /** The arguments of the script. */
  readonly args: readonly string[];
}

/** The options that `--help` lists. */
export const DEV_OPTIONS = {
  script: valueOption('<name>', 'Script of "package.json" to run', 'start:dev, or else dev'),
  project: valueOption('<name>', 'Project that "nest start" starts, in a monorepo of the Nest CLI'),
  'no-open': flagOption('Do not open the explorer in the browser'),
};

/**
 * Reads the arguments of the command.
 *
 * @throws {UsageError} if they are invalid
 */
export function parseDevOptions(args: readonly string[]): DevOptions {
  const end = args.includes('--') ? args.indexOf('--') : args.length;
  const { values, positionals } = parseArguments(args.slice(0, end), DEV_OPTIONS);
  if (positionals.length > 0) {
    throw new UsageError(
      'Only options were expected: name a script with "--script", and give its arguments behind "--"',
    );
  }
  return {
    script: values.script,
    project: values.project,
    opensBrowser: values['no-open'] !== true,
    args: args.slice(end + 1),
  };
}
