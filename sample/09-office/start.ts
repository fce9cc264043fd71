import type { INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { OfficeModule } from './office.module.js';

export interface Started {
  readonly app: INestApplication;
  readonly url: URL;
  readonly adminUrl: URL;
}

/** Starts the office on a port of this machine; 0 lets the system choose a free one. */
export async function start(port: number): Promise<Started> {
  const app = await NestFactory.create(OfficeModule, {
    logger: ['warn', 'error', 'fatal'],
    abortOnError: false,
    // Clients open connections in advance, which would be waited for at the end.
    forceCloseConnections: true,
  });
  app.enableShutdownHooks([], { useProcessExit: true });
  await app.listen(port, '127.0.0.1');
  const origin = await app.getUrl();
  return { app, url: new URL('/mcp', origin), adminUrl: new URL('/admin/mcp', origin) };
}
