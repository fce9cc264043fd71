import { McpStdio } from 'nestjs-mcp';
import { DeskModule } from './desk.module.js';
import { explainFailure } from './start.js';

try {
  await McpStdio.run(DeskModule, { nest: { logger: ['warn', 'error', 'fatal'], abortOnError: false } });
} catch (error) {
  process.stderr.write(`${explainFailure(error)}\n`);
  process.exit(1);
}
