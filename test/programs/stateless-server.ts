/** One of several processes that keep no sessions. `SECRET` comes from the environment; it prints its URL. */
import 'reflect-metadata';
import { Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { McpModule, Tool, type McpContext } from 'nestjs-mcp';
import { z } from 'zod';

const { SECRET } = process.env;
const Text = z.object({ text: z.string() });

@Injectable()
class EchoTools {
  @Tool({ inputSchema: Text })
  echo({ text }: { text: string }): string {
    return `${text}@${process.pid}`;
  }

  @Tool({ inputSchema: Text })
  async ask({ text }: { text: string }, context: McpContext): Promise<string> {
    const first = await context.elicit({ message: `${text} first?`, schema: Text });
    const second = await context.elicit({ message: `${text} second?`, schema: Text });
    if (first.action !== 'accept' || second.action !== 'accept') return 'refused';
    return `${first.content.text} ${second.content.text}`;
  }
}

@Module({
  imports: [
    McpModule.forRoot({
      serverInfo: { name: 'one-of-many', version: '1.0.0' },
      stateless: true,
      ...(SECRET !== undefined && { secret: SECRET }),
    }),
  ],
  providers: [EchoTools],
})
class EchoModule {}

const app = await NestFactory.create(EchoModule, { logger: false, forceCloseConnections: true });
app.enableShutdownHooks();
await app.listen(0, '127.0.0.1');
process.stdout.write(`ready ${await app.getUrl()}/mcp\n`);
