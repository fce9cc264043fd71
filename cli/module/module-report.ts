import type { MadeModule } from './made-module.js';
import { runAnalyzer } from './run-analyzer.js';

/**
 * Creates a file's application in a separate process, and returns its settings.
 *
 * @throws {UsageError} if the file or its export does not exist
 * @throws {AnalysisError} if the application cannot be created
 */
export async function readModuleReport(target: string): Promise<MadeModule> {
  return (await runAnalyzer('read', target)) as MadeModule;
}
