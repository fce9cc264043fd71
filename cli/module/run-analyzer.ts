import { fork, type ChildProcess } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { settleWithin } from '../../lib/core/async/timeouts.js';
import { UsageError } from '../usage.error.js';
import { makeVisible } from '../visible-text.js';
import { AnalysisError } from './analysis.error.js';

/** Why an application was not examined. */
interface AnalyzerFailure {
  readonly failure: string;
  /** Whether the command was called wrongly. */
  readonly isUsage: boolean;
}

/** What the process says that makes the application. */
export type AnalyzerReport = { readonly examined: unknown } | AnalyzerFailure;

/** An application may wait for a database, or for Redis. */
const LONGEST_START_MS = 60_000;

/** What an application printed, as far as it is shown. */
const LONGEST_OUTPUT = 64 * 1024;
const MOST_LINES = 40;

/** What is on its way is waited for no longer. */
const LONGEST_END_MS = 1_000;

/**
 * Creates the application of a file in a separate process, and returns the report of that process. What the application prints is shown
 * if it cannot be made.
 *
 * @param args the examination, and its file
 * @throws {UsageError} if there is no such file, or it does not export what is named
 * @throws {AnalysisError} if the application cannot be made
 */
export async function runAnalyzer(...args: readonly string[]): Promise<unknown> {
  const child = fork(findExaminer(), args, {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const closed = new Promise((resolve) => child.once('close', resolve));
  let output = '';
  const note = (chunk: Buffer): void =>
    void (output = (output + chunk.toString('utf8')).slice(-LONGEST_OUTPUT));
  child.stdout?.on('data', note);
  child.stderr?.on('data', note);
  try {
    const report = await waitForReport(child);
    if (!('failure' in report)) return report.examined;
    child.kill('SIGKILL');
    await settleWithin(closed, LONGEST_END_MS);
    throw explainFailure(report, output);
  } finally {
    child.kill('SIGKILL');
  }
}

function explainFailure({ failure, isUsage }: AnalyzerFailure, output: string): Error {
  return isUsage
    ? new UsageError(`The application was not examined: ${failure}`)
    : new AnalysisError(failure, listLines(output));
}

function listLines(output: string): readonly string[] {
  const lines = makeVisible(output).split('\n');
  return lines.filter((line) => line.trim() !== '').slice(-MOST_LINES);
}

function waitForReport(child: ChildProcess): Promise<AnalyzerReport> {
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

function isReport(message: unknown): message is AnalyzerReport {
  return typeof message === 'object' && message !== null && ('examined' in message || 'failure' in message);
}

/** The package is a bundle: where this code is says nothing of where others are. */
function findExaminer(): string {
  const manifest = createRequire(import.meta.url).resolve('nestjs-mcp-cli/package.json');
  return join(dirname(manifest), 'dist/module/module-analyzer.js');
}
