import type { INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { BoardModule, type Tokens } from './board.module.js';

export interface Started {
  readonly app: INestApplication;
  readonly url: URL;
}

/** Starts the board on a port of this machine; 0 lets the system choose a free one. */
export async function start(port: number, tokens: Tokens): Promise<Started> {
  const app = await NestFactory.create(BoardModule.with(tokens), {
    logger: ['warn', 'error', 'fatal'],
    abortOnError: false,
    // Clients open connections in advance, which would be waited for at the end.
    forceCloseConnections: true,
  });
  app.enableShutdownHooks([], { useProcessExit: true });
  await app.listen(port, '127.0.0.1');
  return { app, url: new URL('/mcp', await app.getUrl()) };
}
