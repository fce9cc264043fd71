import { fork, type ChildProcess } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { UsageError } from '../usage.error.js';
import { UnexaminedError } from './unexamined.error.js';

/** Why an application was not examined. */
interface ExaminerFailure {
  readonly failure: string;
  /** Whether the command was called wrongly. */
  readonly isUsage: boolean;
}

/** What the process says that makes the application. */
export type ExaminerReport = { readonly examined: unknown } | ExaminerFailure;

/** An application may wait for a database, or for Redis. */
const LONGEST_START_MS = 60_000;

/** The report has its own channel, because the application prints to standard output. */
const STANDARD_ERROR = 2;

/**
 * Creates the application of a file in a separate process, and returns the report of that process.
 *
 * @param args the examination, and its file
 * @throws {UsageError} if there is no such file, or it does not export what is named
 * @throws {UnexaminedError} if the application cannot be made
 */
export async function runExaminer(...args: readonly string[]): Promise<unknown> {
  const child = fork(findExaminer(), args, {
    stdio: ['ignore', STANDARD_ERROR, STANDARD_ERROR, 'ipc'],
  });
  try {
    const report = await waitForReport(child);
    if ('failure' in report) throw explainFailure(report);
    return report.examined;
  } finally {
    child.kill('SIGKILL');
  }
}

function explainFailure({ failure, isUsage }: ExaminerFailure): Error {
  return isUsage
    ? new UsageError(`The application was not examined: ${failure}`)
    : new UnexaminedError(failure);
}

function waitForReport(child: ChildProcess): Promise<ExaminerReport> {
  return new Promise((resolve, reject) => {
    const fail = (failure: string) => () => resolve({ failure, isUsage: false });
    const late = setTimeout(fail(`it takes longer than ${LONGEST_START_MS} ms to be made`), LONGEST_START_MS);
    child.once('exit', () => clearTimeout(late));
    child.once('exit', fail('its process ended while it started; look at what it printed'));
    child.once('error', reject);
    // The application may send its own messages, for example that it is ready.
    child.on('message', (message) => {
      if (isReport(message)) resolve(message);
    });
  });
}

function isReport(message: unknown): message is ExaminerReport {
  return typeof message === 'object' && message !== null && ('examined' in message || 'failure' in message);
}

/** The package is a bundle: where this code is says nothing of where others are. */
function findExaminer(): string {
  const manifest = createRequire(import.meta.url).resolve('nestjs-mcp/package.json');
  return join(dirname(manifest), 'dist/cli/module/module-examiner.js');
}
