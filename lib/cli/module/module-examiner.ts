import { readModule } from './made-module.js';
import type { ModuleReport } from './module-report.js';

/** The process in which an application is made that is examined: it is ended from outside, whatever the application has opened. */
const [target = ''] = process.argv.slice(2);

process.once('disconnect', () => process.exit());

function report(message: ModuleReport): void {
  process.send?.(message);
}

try {
  report(await readModule(target));
} catch (error) {
  report({ failure: error instanceof Error ? error.message : String(error) });
}
