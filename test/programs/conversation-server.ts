/** A server whose tools announce, ask and wait. `PORT` and `SECRET` come from the environment; it prints its URL. */
import 'reflect-metadata';
import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { McpModule, McpNotifier, Tool, type McpContext } from 'nestjs-mcp';
import { z } from 'zod';

const { PORT = '0', SECRET = 'a secret for a program that tests start' } = process.env;
const Text = z.object({ text: z.string() });

@Injectable()
class ConversationTools {
  constructor(private readonly notifier: McpNotifier) {}

  /** Sends numbered log entries to every session; those of another process have other texts. */
  @Tool({ inputSchema: z.object({ count: z.int() }) })
  announce({ count }: { count: number }): string {
    for (let n = 1; n <= count; n += 1) this.notifier.log('info', `${process.pid}:${n}`);
    return `${count} announced`;
  }

  @Tool({ inputSchema: Text })
  async echo({ text }: { text: string }, context: McpContext): Promise<string> {
    context.progress(1, 2);
    await delay(text.length % 7);
    return text;
  }

  @Tool({ inputSchema: Text })
  async ask({ text }: { text: string }, context: McpContext): Promise<string> {
    const answer = await context.elicit({ message: text, schema: Text });
    return answer.action === 'accept' ? answer.content.text : answer.action;
  }

  @Tool()
  async wait(_arguments: object, context: McpContext): Promise<string> {
    context.progress(1);
    await delay(600_000, undefined, { signal: context.signal });
    return 'nobody cancelled';
  }

  /** Bytes that are in use after a full collection, and how many sessions there are. */
  @Tool()
  memory(): string {
    globalThis.gc?.();
    return JSON.stringify({
      heapBytes: process.memoryUsage().heapUsed,
      sessions: this.notifier.sessions.length,
    });
  }
}

@Module({
  imports: [
    McpModule.forRoot({
      serverInfo: { name: 'conversation', version: '1.0.0' },
      secret: SECRET,
      sessions: { recover: true },
    }),
  ],
  providers: [ConversationTools],
})
class ConversationModule {}

const app = await NestFactory.create(ConversationModule, { logger: false, forceCloseConnections: true });
app.enableShutdownHooks();
await app.listen(Number(PORT), '127.0.0.1');
process.stdout.write(`ready ${await app.getUrl()}/mcp\n`);
