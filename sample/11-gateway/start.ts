import type { INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { McpGateway } from 'nestjs-mcp/gateway';
import { GatewayModule } from './gateway.module.js';
import { startWeather } from './servers/weather.server.js';

export interface Started {
  readonly app: INestApplication;
  readonly url: URL;
  readonly gateway: McpGateway;
  stop(): Promise<void>;
}

/** Starts the gateway on a port of this machine, and the server over HTTP behind it; 0 lets the system choose a free port. */
export async function start(port: number): Promise<Started> {
  const weather = await startWeather();
  const app = await NestFactory.create(GatewayModule.at(weather.url), {
    logger: ['warn', 'error', 'fatal'],
    abortOnError: false,
    // Clients open connections in advance, which would be waited for at the end
    forceCloseConnections: true,
  });
  await app.listen(port, '127.0.0.1');
  const stop = async () => {
    await app.close();
    await weather.app.close();
  };
  return { app, url: new URL('/mcp', await app.getUrl()), gateway: app.get(McpGateway), stop };
}
