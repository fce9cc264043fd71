import { fork, type ChildProcess } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { settleWithin } from '../../lib/core/async/timeouts.js';
import { UsageError } from '../usage.error.js';
import { makeVisible } from '../visible-text.js';
import { AnalysisError } from './analysis.error.js';

/** The reason why an application was not examined. */
interface AnalyzerFailure {
  readonly failure: string;
  /** Whether the command line was invalid. */
  readonly isUsage: boolean;
}

/** The message from the process that creates the application. */
export type AnalyzerReport = { readonly examined: unknown } | AnalyzerFailure;

/** Generous, because an application may wait for a database or Redis. */
const LONGEST_START_MS = 60_000;

/** Limits on the output that is shown. */
const LONGEST_OUTPUT = 64 * 1024;
const MOST_LINES = 40;

/** The maximum wait for remaining output. */
const LONGEST_END_MS = 1_000;

/**
 * Creates a file's application in a separate process, and returns the report of that process. If the application
 * cannot be created, its output is shown.
 *
 * @param args the analyzer's task, and the file
 * @throws {UsageError} if the file does not exist, or lacks the named export
 * @throws {AnalysisError} if the application cannot be created
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
    ? new UsageError(`The application could not be examined: ${failure}`)
    : new AnalysisError(failure, listLines(output));
}

function listLines(output: string): readonly string[] {
  const lines = makeVisible(output).split('\n');
  return lines.filter((line) => line.trim() !== '').slice(-MOST_LINES);
}

function waitForReport(child: ChildProcess): Promise<AnalyzerReport> {
  return new Promise((resolve, reject) => {
    const fail = (failure: string) => () => resolve({ failure, isUsage: false });
    const late = setTimeout(fail(`it was not created within ${LONGEST_START_MS} ms`), LONGEST_START_MS);
    child.once('exit', () => clearTimeout(late));
    child.once('exit', fail('its process exited during startup; check its output'));
    child.once('error', reject);
    // The application may send messages too, for example that it is ready.
    child.on('message', (message) => {
      if (isReport(message)) resolve(message);
    });
  });
}

function isReport(message: unknown): message is AnalyzerReport {
  return typeof message === 'object' && message !== null && ('examined' in message || 'failure' in message);
}

/** This code is bundled, so its location reveals nothing about other files. */
function findExaminer(): string {
  const manifest = createRequire(import.meta.url).resolve('nestjs-mcp-cli/package.json');
  return join(dirname(manifest), 'dist/module/module-analyzer.js');
}
