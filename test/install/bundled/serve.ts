import type { Type } from '@nestjs/common';
import { NestFactory, type AbstractHttpAdapter } from '@nestjs/core';
import { McpStdio } from 'nestjs-mcp';

/** Serves a module at a pipe with the argument `stdio`, else over HTTP at a free port, which it prints. */
export async function serve(module: Type, adapter: AbstractHttpAdapter): Promise<void> {
  if (process.argv[2] === 'stdio') return McpStdio.run(module, { nest: { logger: false } });
  const app = await NestFactory.create(module, adapter, { logger: ['warn', 'error'], abortOnError: false });
  app.enableShutdownHooks([], { useProcessExit: true });
  await app.listen(0, '127.0.0.1');
  process.stdout.write(`ready ${await app.getUrl()}/mcp\n`);
}
