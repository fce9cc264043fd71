/**
 * An application with injected clients. It prints its own URL: `/` answers at once, `/ask` with what a new client gets that is called
 * `name` and has `options` (JSON), by the method `path`, and `/memory` with the most bytes that the process has had.
 */
import 'reflect-metadata';
import { Controller, Get, Module, Query } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { McpClientModule, McpClients, type McpClient, type McpClientOptions } from 'nestjs-mcp/client-module';

const METHODS: Readonly<Record<string, (client: McpClient) => Promise<number>>> = {
  call: async (client) => JSON.stringify(await client.callTool('get')).length,
  list: async (client) => (await client.listTools()).length,
  skills: async (client) => (await client.skills.list()).length,
};

@Controller()
class CallingController {
  constructor(private readonly clients: McpClients) {}

  @Get()
  greet(): string {
    return 'hello';
  }

  @Get('ask')
  async ask(
    @Query('name') name: string,
    @Query('options') options: string,
    @Query('path') path: string,
  ): Promise<object> {
    const client = this.clients.register(name, JSON.parse(options) as McpClientOptions);
    try {
      return { size: await METHODS[path]?.(client) };
    } catch (error) {
      const { code, message } = error as Error & { readonly code?: unknown };
      return { code, message: message.slice(0, 500) };
    } finally {
      await client.close();
    }
  }

  @Get('memory')
  memory(): string {
    return String(process.resourceUsage().maxRSS * 1024);
  }
}

@Module({ imports: [McpClientModule.forRoot([])], controllers: [CallingController] })
class CallingModule {}

const app = await NestFactory.create<NestExpressApplication>(CallingModule, { logger: false });
await app.listen(0, '127.0.0.1');
process.stdout.write(`ready ${await app.getUrl()}\n`);
