import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Finding } from '../finding.js';
import { UsageError } from '../../usage.error.js';

/** What the process says that makes the application. */
export type ModuleReport = { readonly findings: readonly Finding[] } | { readonly failure: string };

/** An application may wait for a database, or for Redis. */
const LONGEST_START_MS = 60_000;

/** Where Node lets go of its output; what the application prints is no report. */
const STANDARD_ERROR = 2;

/**
 * Has the application of a file made and examined in a process of its own.
 *
 * @throws {UsageError} if the application cannot be made
 */
export async function readModuleReport(target: string): Promise<readonly Finding[]> {
  const child = fork(findExaminer(), [target], {
    stdio: ['ignore', STANDARD_ERROR, STANDARD_ERROR, 'ipc'],
  });
  const patience = AbortSignal.timeout(LONGEST_START_MS);
  const told = once(child, 'message', { signal: patience }).then(([message]) => message as ModuleReport);
  const ended = once(child, 'exit', { signal: patience }).then((): ModuleReport => ({
    failure: 'Its process ended before it was examined',
  }));
  try {
    const report = await Promise.race([told, ended]);
    if ('findings' in report) return report.findings;
    throw new UsageError(`The application was not examined: ${report.failure}`);
  } catch (error) {
    if (!patience.aborted) throw error;
    throw new UsageError(
      `The application was not examined: it takes longer than ${LONGEST_START_MS} ms to be made`,
      { cause: error },
    );
  } finally {
    child.kill('SIGKILL');
    await Promise.allSettled([told, ended]);
  }
}

/** The package is a bundle: where this code is says nothing of where others are. */
function findExaminer(): string {
  const manifest = createRequire(import.meta.url).resolve('nestjs-mcp/package.json');
  return join(dirname(manifest), 'dist/cli/doctor/production/module-examiner.js');
}
