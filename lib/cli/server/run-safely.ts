import { ExitCode, type Terminal } from '../command.interface.js';
import { UsageError } from '../usage.error.js';
import { explainFailure } from './explain-failure.js';

/** A command line as a command sees it. */
export interface Invocation {
  readonly args: readonly string[];
  readonly terminal: Terminal;
  readonly usage: string;
}

/** Does the work of a command, and gives the exit code: what goes wrong is told in a sentence. */
export async function runSafely(
  { args, terminal, usage }: Invocation,
  work: () => Promise<number>,
): Promise<number> {
  const options = args.includes('--') ? args.slice(0, args.indexOf('--')) : args;
  if (options.includes('--help') || options.includes('-h')) {
    terminal.print(usage);
    return ExitCode.success;
  }
  try {
    return await work();
  } catch (error) {
    const failure = explainFailure(error);
    if (failure === undefined) throw error;
    terminal.complain(failure.message);
    if (error instanceof UsageError) terminal.complain(`${usage.split('\n')[0]} (see --help)`);
    return failure.exitCode;
  } finally {
    terminal.status?.show('');
  }
}
