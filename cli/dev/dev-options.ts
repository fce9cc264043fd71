import { parseArguments } from '../parse-arguments.js';
import { UsageError } from '../usage.error.js';

/** What the command is asked to do. */
export interface DevOptions {
  /** The script that is to be run; absent if it is to be found. */
  readonly script: string | undefined;
  /** The project of a monorepo that is to be started. */
  readonly project: string | undefined;
  readonly opensBrowser: boolean;
  /** The arguments of the script. */
  readonly args: readonly string[];
}

/**
 * Reads the arguments of the command.
 *
 * @throws {UsageError} where they ask for nothing that can be done
 */
export function parseDevOptions(args: readonly string[]): DevOptions {
  const end = args.includes('--') ? args.indexOf('--') : args.length;
  const { values, positionals } = parseArguments(args.slice(0, end), {
    script: { type: 'string' },
    project: { type: 'string' },
    'no-open': { type: 'boolean' },
  });
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
