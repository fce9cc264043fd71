import { examineModule } from './examined-module.js';
import type { ModuleReport } from './module-report.js';

/** The process in which an application is made that is examined: it ends with the report, whatever the application has opened. */
const [target = ''] = process.argv.slice(2);

function report(message: ModuleReport): void {
  process.send?.(message, () => process.exit());
}

try {
  report({ findings: await examineModule(target) });
} catch (error) {
  report({ failure: error instanceof Error ? error.message : String(error) });
}
