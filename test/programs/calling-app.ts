/**
 * An application with an injected client of the server at `URL`, or of the process `COMMAND` with `ARGUMENTS` (JSON), whose calls may
 * take `TIMEOUT_MS`. It prints its own URL: `/` answers at once, `/call`, `/list` and `/skills` with what the client gets, `/memory` with the most bytes it has had.
 */
import 'reflect-metadata';
import { Controller, Get, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { InjectMcpClient, McpClientModule, type McpClient } from 'nestjs-mcp/client-module';

const { URL: url, COMMAND: command = '', ARGUMENTS = '[]', TIMEOUT_MS } = process.env;

/** Starting a process may take this long on a busy machine. */
const LONGEST_START_MS = 60_000;

@Controller()
class CallingController {
  constructor(@InjectMcpClient('peer') private readonly peer: McpClient) {}

  @Get()
  greet(): string {
    return 'hello';
  }

  @Get('call')
  call() {
    return tell(async () => JSON.stringify(await this.peer.callTool('get')).length);
  }

  @Get('list')
  list() {
    return tell(async () => (await this.peer.listTools()).length);
  }

  @Get('skills')
  skills() {
    return tell(async () => (await this.peer.skills.list()).length);
  }

  @Get('memory')
  memory(): string {
    return String(process.resourceUsage().maxRSS * 1024);
  }
}

async function tell(work: () => Promise<number>): Promise<object> {
  try {
    return { size: await work() };
  } catch (error) {
    const { code, message } = error as Error & { readonly code?: unknown };
    return { code, message: message.slice(0, 500) };
  }
}

const server = url === undefined ? { command, args: JSON.parse(ARGUMENTS) as string[] } : { url };

@Module({
  imports: [
    McpClientModule.forRoot([
      { name: 'peer', timeoutMs: Number(TIMEOUT_MS), reconnect: { waitMs: LONGEST_START_MS }, ...server },
    ]),
  ],
  controllers: [CallingController],
})
class CallingModule {}

const app = await NestFactory.create<NestExpressApplication>(CallingModule, { logger: false });
await app.listen(0, '127.0.0.1');
process.stdout.write(`ready ${await app.getUrl()}\n`);
