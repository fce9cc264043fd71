import type { MadeModule } from './made-module.js';
import { runExaminer } from './run-examiner.js';

/**
 * Has the application of a file made, and its settings read, in a process of its own.
 *
 * @throws {UsageError} if the file or its export is not there
 * @throws {UnexaminedError} if the application cannot be made
 */
export async function readModuleReport(target: string): Promise<MadeModule> {
  return (await runExaminer('read', target)) as MadeModule;
}
