import { listModule } from './listed-module.js';
import { readModule } from './made-module.js';
import type { ExaminerReport } from './run-examiner.js';

/** The process in which an application is made that is examined: it is ended from outside, whatever the application has opened. */
const [task = '', target = '', ...scopes] = process.argv.slice(2);

process.once('disconnect', () => process.exit());

function report(message: ExaminerReport): void {
  process.send?.(message);
}

try {
  report({ examined: task === 'list' ? await listModule(target, scopes) : await readModule(target) });
} catch (error) {
  report({ failure: error instanceof Error ? error.message : String(error) });
}
