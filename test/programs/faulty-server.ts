/** A server whose handlers do what they should not, over HTTP or, with `TRANSPORT=stdio`, over its pipes. It prints its URL. */
import 'reflect-metadata';
import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, Module, type OnModuleInit } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { McpModule, McpStdio } from 'nestjs-mcp';
import { FaultyHandlers } from './faulty/faulty-handlers.js';

const { ADAPTER, TRANSPORT, POLICY, TWICE } = process.env;
const { CALL_TIMEOUT_MS = '250', IDLE_MS = '600000', KEEP_ALIVE_MS = '15000', START_MS = '0' } = process.env;

@Injectable()
class SlowStart implements OnModuleInit {
  async onModuleInit(): Promise<void> {
    if (START_MS !== '0') process.stdout.write('starting\n');
    await delay(Number(START_MS));
  }
}

@Module({
  imports: [
    McpModule.forRoot({
      serverInfo: { name: 'faulty', version: '1.0.0' },
      sse: true,
      callTimeoutMs: Number(CALL_TIMEOUT_MS),
      sessions: { idleTimeoutMs: Number(IDLE_MS) },
      streams: { keepAliveMs: Number(KEEP_ALIVE_MS) },
      limits: { requestsInFlight: 1000 },
    }),
  ],
  providers: [FaultyHandlers, SlowStart],
})
class FaultyModule {}

// What becomes of a failure that nobody awaits is for the application to say.
if (POLICY === 'go on') {
  process.on('unhandledRejection', (reason) => console.error('went on after', reason));
  process.on('uncaughtException', (error) => console.error('went on after', error));
}

async function serveHttp(): Promise<void> {
  const adapter = ADAPTER === 'fastify' ? new FastifyAdapter() : new ExpressAdapter();
  const app = await NestFactory.create(FaultyModule, adapter, { logger: false });
  app.enableShutdownHooks();
  if (TWICE !== undefined) process.once('SIGUSR2', () => void Promise.all([app.close(), app.close()]));
  await app.listen(0, '127.0.0.1');
  process.stdout.write(`ready ${await app.getUrl()}/mcp\n`);
}

if (TRANSPORT === 'stdio') await McpStdio.run(FaultyModule, { nest: { logger: false } });
else await serveHttp();
