import { flagOption, valueOption } from '../help.js';
import { parseArguments } from '../parse-arguments.js';
import { UsageError } from '../usage.error.js';

/** The command's options. */
export interface DevOptions {
  /** The script to run; absent to find it. */
  readonly script: string | undefined;
  /** The project of a monorepo to start. */
  readonly project: string | undefined;
  readonly opensBrowser: boolean;
  /** The script's arguments. */
  readonly args: readonly string[];
}

/** The options that `--help` lists. */
export const DEV_OPTIONS = {
  script: valueOption('<name>', 'Script from "package.json" to run', 'start:dev, or else dev'),
  project: valueOption('<name>', 'Project that "nest start" starts, in a Nest CLI monorepo'),
  'no-open': flagOption('Do not open the explorer in the browser'),
};

/**
 * Reads the command's arguments.
 *
 * @throws {UsageError} if they are invalid
 */
export function parseDevOptions(args: readonly string[]): DevOptions {
  const end = args.includes('--') ? args.indexOf('--') : args.length;
  const { values, positionals } = parseArguments(args.slice(0, end), DEV_OPTIONS);
  if (positionals.length > 0) {
    throw new UsageError(
      'Expected only options: pass the script with "--script", and its arguments after "--"',
    );
  }
  return {
    script: values.script,
    project: values.project,
    opensBrowser: values['no-open'] !== true,
    args: args.slice(end + 1),
  };
}
