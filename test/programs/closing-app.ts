import 'reflect-metadata';
import { Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { McpModule, Tool, type McpContext } from 'nestjs-mcp';

@Injectable()
class StubbornTools {
  @Tool({ description: 'Never answers' })
  hang(_: object, context: McpContext): Promise<string> {
    context.progress(1);
    return new Promise(() => undefined);
  }
}

@Module({
  imports: [
    McpModule.forRoot({ serverInfo: { name: 'closing', version: '1.0.0' }, callTimeoutMs: 3_600_000 }),
  ],
  providers: [StubbornTools],
})
class ClosingModule {}

const adapter = process.env['ADAPTER'] === 'fastify' ? new FastifyAdapter() : new ExpressAdapter();
const app = await NestFactory.create(ClosingModule, adapter, { logger: false });
await app.listen(0, '127.0.0.1');
// The process is to end because nothing is left to do, so that nothing here ends it.
process.once('SIGUSR2', () => void app.close().then(() => console.log('closed')));
console.log(`ready ${await app.getUrl()}/mcp`);
