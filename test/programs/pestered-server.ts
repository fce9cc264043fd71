/**
 * A server that strangers pester, by each transport of HTTP that it has. `ADAPTER` and `STATELESS` come from the environment; it prints
 * its URL, and tells the bytes that are in use after a full collection to whoever asks for `/heap`.
 */
import 'reflect-metadata';
import { Controller, Get, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { McpModule } from 'nestjs-mcp';
import { GreetingTool } from '../support/applications/greeting-tool.js';

const { ADAPTER, STATELESS } = process.env;

@Controller('heap')
class HeapController {
  @Get()
  measure(): string {
    globalThis.gc?.();
    const { heapUsed, external } = process.memoryUsage();
    return String(heapUsed + external);
  }
}

@Module({
  imports: [
    McpModule.forRoot({
      serverInfo: { name: 'desk', version: '1.0.0' },
      limits: { bodyBytes: 65_536 },
      ...(STATELESS === '1' ? { stateless: true } : { sse: true, sessions: { idleTimeoutMs: 1000 } }),
    }),
  ],
  controllers: [HeapController],
  providers: [GreetingTool],
})
class DeskModule {}

const adapter =
  ADAPTER === 'fastify' ? new FastifyAdapter({ forceCloseConnections: true }) : new ExpressAdapter();
const app = await NestFactory.create(DeskModule, adapter, { logger: false, forceCloseConnections: true });
app.enableShutdownHooks();
await app.listen(0, '127.0.0.1');
process.stdout.write(`ready ${await app.getUrl()}/mcp\n`);
