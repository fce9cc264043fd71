import { ExitCode, type Terminal } from './command.interface.js';
import { wrapHelp } from './help.js';
import { AnalysisError } from './module/analysis.error.js';
import { UsageError } from './usage.error.js';

/** The message and the exit code of a failed command. */
export interface Failure {
  readonly exitCode: number;
  readonly message: string;
}

/** A command's arguments, terminal and help. */
export interface Invocation {
  readonly args: readonly string[];
  readonly terminal: Terminal;
  readonly usage: string;
  /** Explains an error, or returns `undefined` for a program bug. @default explains usage errors only */
  readonly explain?: (error: unknown) => Failure | undefined;
}

/** Runs a command and returns its exit code. Prints errors, and the usage if the command line is invalid. */
export async function runSafely(
  { args, terminal, usage, explain }: Invocation,
  work: () => number | Promise<number>,
): Promise<number> {
  const options = args.includes('--') ? args.slice(0, args.indexOf('--')) : args;
  if (options.includes('--help') || options.includes('-h')) {
    terminal.print(wrapHelp(usage));
    return ExitCode.success;
  }
  try {
    return await work();
  } catch (error) {
    const failure = explainUsage(error) ?? explain?.(error);
    if (failure === undefined) throw error;
    terminal.complain(failure.message);
    if (error instanceof UsageError) terminal.complain(`${usage.split('\n')[0]} (see --help)`);
    return failure.exitCode;
  } finally {
    terminal.status?.show('');
  }
}

/** Explains an invalid command line, or an application that cannot be created. */
export function explainUsage(error: unknown): Failure | undefined {
  const isExpected = error instanceof UsageError || error instanceof AnalysisError;
  return isExpected ? { exitCode: ExitCode.usage, message: error.message } : undefined;
}
