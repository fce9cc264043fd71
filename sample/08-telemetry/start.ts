import type { INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { DeskModule } from './desk/desk.module.js';
import type { PrintedTelemetry } from './printed-telemetry.js';

const HOST = '127.0.0.1';

/** Starts the desk at a port; 0 is a free one. */
export async function start(
  port: number,
  telemetry: PrintedTelemetry,
): Promise<{ readonly app: INestApplication; readonly url: string }> {
  const app = await NestFactory.create(DeskModule.with(telemetry.options), {
    logger: ['warn', 'error', 'fatal'],
    abortOnError: false,
  });
  await app.listen(port, HOST);
  return { app, url: `${await app.getUrl()}/mcp` };
}
