import { ValidationPipe } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ShopModule } from './shop.module.js';

export interface Started {
  readonly url: URL;
  stop(): Promise<void>;
}

/** Starts the shop on a port of this machine; 0 lets the system choose a free port. */
export async function start(port: number): Promise<Started> {
  const app = await NestFactory.create(ShopModule, {
    logger: ['warn', 'error', 'fatal'],
    abortOnError: false,
    // Clients open connections in advance, which would be waited for at the end
    forceCloseConnections: true,
  });
  app.useGlobalPipes(new ValidationPipe({ transform: true, whitelist: true }));
  await app.listen(port, '127.0.0.1');
  return { url: new URL('/mcp', await app.getUrl()), stop: () => app.close() };
}
