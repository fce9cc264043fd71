/**
 * A server to be ill-treated, which tells what it holds at `/figures`. From the environment: `ADAPTER`; `OPTIONS`, JSON over the options
 * of the module; `TOOLS`, how many tools with long descriptions it lists; `HEADERS_TIMEOUT_MS`. It prints its URL.
 */
import 'reflect-metadata';
import { createServer, type Server } from 'node:http';
import { setImmediate as turn, setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Controller, Get, Injectable, Module, Query } from '@nestjs/common';
import { HttpAdapterHost, NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { McpCatalog, McpModule, McpNotifier, Tool, type McpContext, type McpOptions } from 'nestjs-mcp';
import { z } from 'zod';

const { ADAPTER = 'express', OPTIONS = '{}', TOOLS = '0', HEADERS_TIMEOUT_MS = '60000' } = process.env;
/** Node looks for connections that are too slow every half minute, which is longer than a test may last. */
const HTTP = { connectionsCheckingInterval: 100, headersTimeout: Number(HEADERS_TIMEOUT_MS) };
const DESCRIPTION = 'A tool that nobody calls. '.repeat(300);
const Burst = z.object({ count: z.int(), size: z.int(), mark: z.string().default('') });

const state = { running: 0, aborted: 0 };

@Injectable()
class EdgeTools {
  constructor(private readonly notifier: McpNotifier) {}

  @Tool()
  greet(): string {
    return 'hello';
  }

  /** Sends numbered log entries to every session, no faster than a good reader reads. */
  @Tool({ inputSchema: Burst })
  async announce({ count, size, mark }: z.infer<typeof Burst>): Promise<string> {
    for (let n = 1; n <= count; n += 1) {
      this.notifier.log('info', `${mark}${n}:${'x'.repeat(size)}`);
      await delay(5);
    }
    return `${count} announced`;
  }

  /** Reports so much on the stream of its own call. */
  @Tool({ inputSchema: Burst })
  async report({ count, size }: z.infer<typeof Burst>, context: McpContext): Promise<string> {
    for (let n = 1; n <= count; n += 1) {
      context.progress(n, count, 'x'.repeat(size));
      await turn();
    }
    return 'reported';
  }

  /** Runs until it is cancelled, or its session ends. */
  @Tool()
  async wait(_arguments: object, context: McpContext): Promise<string> {
    state.running += 1;
    context.progress(1);
    await new Promise((resolve) => context.signal.addEventListener('abort', resolve, { once: true }));
    state.running -= 1;
    state.aborted += 1;
    return 'aborted';
  }
}

@Controller('figures')
class FiguresController {
  constructor(
    private readonly notifier: McpNotifier,
    private readonly host: HttpAdapterHost,
  ) {}

  /** What the process holds, after full collections where that is wanted; the connection that asks is one of the sockets. */
  @Get()
  async figures(@Query('collected') collected?: string): Promise<object> {
    const server = this.host.httpAdapter.getHttpServer() as Server;
    const collections = collected === undefined ? 0 : 3;
    for (let times = 0; times < collections; times += 1) {
      await turn();
      globalThis.gc?.();
    }
    const { heapUsed, external } = process.memoryUsage();
    return {
      heapBytes: heapUsed + external,
      sockets: await promisify(server.getConnections.bind(server))(),
      sessions: this.notifier.sessions.length,
      resources: countByName(process.getActiveResourcesInfo()),
      ...state,
    };
  }
}

function countByName(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  // What is about to run anyway.
  delete counts['Immediate'];
  return counts;
}

@Module({
  imports: [
    McpModule.forRoot({
      serverInfo: { name: 'edge', version: '1.0.0' },
      ...(JSON.parse(OPTIONS) as Partial<McpOptions>),
    }),
  ],
  providers: [EdgeTools],
  controllers: [FiguresController],
})
class EdgeModule {}

/** Express has no place for options of the HTTP server. */
class ImpatientExpressAdapter extends ExpressAdapter {
  override initHttpServer(): void {
    this.httpServer = createServer(HTTP, this.getInstance());
  }
}

const adapter = ADAPTER === 'fastify' ? new FastifyAdapter({ http: HTTP }) : new ImpatientExpressAdapter();
const app = await NestFactory.create(EdgeModule, adapter, { logger: false });
const catalog = app.get(McpCatalog);
for (let count = 0; count < Number(TOOLS); count += 1) {
  catalog.tools.add({ name: `tool-${count}`, description: DESCRIPTION }, () => 'never');
}
await app.listen(0, '127.0.0.1');
process.stdout.write(`ready ${await app.getUrl()}/mcp\n`);
