import { ExitCode, type Terminal } from './command.interface.js';
import { UnexaminedError } from './module/unexamined.error.js';
import { UsageError } from './usage.error.js';

/** What a command says and ends with if it could not do its work. */
export interface Failure {
  readonly exitCode: number;
  readonly message: string;
}

/** A command line as a command sees it. */
export interface Invocation {
  readonly args: readonly string[];
  readonly terminal: Terminal;
  readonly usage: string;
  /** Says what went wrong; nothing if that is a fault of the program. @default nothing */
  readonly explain?: (error: unknown) => Failure | undefined;
}

/** Runs a command, and returns the exit code. What went wrong is printed; after a wrong call, the usage too. */
export async function runSafely(
  { args, terminal, usage, explain }: Invocation,
  work: () => number | Promise<number>,
): Promise<number> {
  const options = args.includes('--') ? args.slice(0, args.indexOf('--')) : args;
  if (options.includes('--help') || options.includes('-h')) {
    terminal.print(usage);
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

/** Says what is wrong with a call of the command line, or with the application that it names. */
export function explainUsage(error: unknown): Failure | undefined {
  const isExpected = error instanceof UsageError || error instanceof UnexaminedError;
  return isExpected ? { exitCode: ExitCode.usage, message: error.message } : undefined;
}
