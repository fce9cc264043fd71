import type { INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ConversationModule } from './conversation.module.js';

export interface Started {
  readonly app: INestApplication;
  readonly url: URL;
}

/** Starts the assistant on a port of this machine; 0 lets the system choose a free one. */
export async function start(port: number): Promise<Started> {
  const app = await NestFactory.create(ConversationModule, {
    logger: ['warn', 'error', 'fatal'],
    abortOnError: false,
  });
  app.enableShutdownHooks([], { useProcessExit: true });
  await app.listen(port, '127.0.0.1');
  return { app, url: new URL('/mcp', await app.getUrl()) };
}
