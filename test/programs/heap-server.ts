/**
 * A server with default options whose memory is attacked. From the environment: `TOKENS`, bearer tokens with commas between them,
 * without which it is open. It prints its URL, and tells at `/heap` what it takes once all garbage is gone.
 */
import 'reflect-metadata';
import { setImmediate as turn } from 'node:timers/promises';
import { Controller, Get, Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { McpModule, McpNotifier, Public, ResourceTemplate, Tool, type McpContext } from 'nestjs-mcp';

const tokens = process.env['TOKENS']?.split(',');
/** As much as an event log keeps. */
const MEGABYTE = 1_000_000;

const ANYTHING = { type: 'object' } as const;

@Injectable()
class HeapTools {
  @Public()
  @Tool()
  greet(): string {
    return 'hello';
  }

  /** Gives a megabyte, on a stream where the client takes one. */
  @Tool()
  recite(_arguments: object, context: McpContext): string {
    context.progress(1);
    return 'x'.repeat(MEGABYTE);
  }

  /** Runs until its client is gone. */
  @Tool({ inputSchema: ANYTHING })
  async wait(_arguments: object, context: McpContext): Promise<string> {
    context.progress(1);
    await new Promise((resolve) => context.signal.addEventListener('abort', resolve, { once: true }));
    return 'over';
  }

  @Tool({ task: 'required' })
  report(): string {
    return 'x'.repeat(MEGABYTE);
  }

  /** Gives little, whatever it is given. */
  @Tool({ task: 'required', inputSchema: ANYTHING })
  nod(): string {
    return 'yes';
  }

  @ResourceTemplate({ uriTemplate: 'n:{name}', name: 'notes' })
  read(): string {
    return 'a note';
  }
}

@Controller('heap')
class HeapController {
  constructor(private readonly notifier: McpNotifier) {}

  @Get()
  async measure(): Promise<object> {
    for (let times = 0; times < 3; times += 1) {
      await turn();
      globalThis.gc?.();
    }
    const { heapUsed, external } = process.memoryUsage();
    return { heapBytes: heapUsed + external, sessions: this.notifier.sessions.length };
  }
}

@Module({
  imports: [
    McpModule.forRoot({
      serverInfo: { name: 'heap', version: '1.0.0' },
      tasks: true,
      ...(tokens && { auth: { bearer: tokens.map((token) => ({ token, subject: token })) } }),
    }),
  ],
  providers: [HeapTools],
  controllers: [HeapController],
})
class HeapModule {}

const app = await NestFactory.create(HeapModule, { logger: ['error', 'warn'] });
await app.listen(0, '127.0.0.1');
process.stdout.write(`ready ${await app.getUrl()}/mcp\n`);
