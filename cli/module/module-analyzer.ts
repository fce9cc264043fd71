import { UsageError } from '../usage.error.js';
import { listModule } from './listed-module.js';
import { readModule } from './made-module.js';
import type { AnalyzerReport } from './run-analyzer.js';

/** The process that creates the examined application. Its parent kills it, even if the application has open connections. */
const [task = '', target = '', ...scopes] = process.argv.slice(2);

process.once('disconnect', () => process.exit());

function report(message: AnalyzerReport): void {
  process.send?.(message);
}

try {
  report({ examined: task === 'list' ? await listModule(target, scopes) : await readModule(target) });
} catch (error) {
  const failure = error instanceof Error ? error.message : String(error);
  report({ failure, isUsage: error instanceof UsageError });
}
