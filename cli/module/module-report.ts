import type { MadeModule } from './made-module.js';
import { runAnalyzer } from './run-analyzer.js';

/**
 * Has the application of a file made, and its settings read, in a process of its own.
 *
 * @throws {UsageError} if the file or its export is not there
 * @throws {AnalysisError} if the application cannot be made
 */
export async function readModuleReport(target: string): Promise<MadeModule> {
  return (await runAnalyzer('read', target)) as MadeModule;
}
