import { NestFactory } from '@nestjs/core';
import { DeskModule } from './desk.module.js';
import { explainFailure, parsePort } from './start.js';
import { welcome } from './welcome.js';

const HOST = '127.0.0.1';

async function main(): Promise<void> {
  const port = parsePort(process.env['PORT'] ?? '3000');
  const app = await NestFactory.create(DeskModule, {
    logger: ['warn', 'error', 'fatal'],
    abortOnError: false,
  });
  app.enableShutdownHooks([], { useProcessExit: true });
  await app.listen(port, HOST);
  process.stdout.write(welcome(`${await app.getUrl()}/mcp`));
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${explainFailure(error)}\n`);
  process.exit(1);
}
