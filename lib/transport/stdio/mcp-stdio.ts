import type { DynamicModule, INestApplicationContext, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { getStdioToken } from '../../settings/mcp.constants.js';
import { guardStandardOutput } from './guarded-output.js';
import type { StdioTransport } from './stdio-transport.js';

/** Settings of a server at a pipe. */
export interface StdioOptions {
  /** The server to serve, in an application with several. @default the default server */
  readonly server?: string;
  /** The token of whoever started the process, as the environment gives it. @default none */
  readonly token?: string;
  /** What the application context is created with; whatever its logger writes goes to standard error. */
  readonly nest?: Parameters<typeof NestFactory.createApplicationContext>[1];
}

/** Serves an application's MCP server over standard input and output, as desktop clients start it. */
export class McpStdio {
  /**
   * Starts the application without HTTP and serves until the input ends, or the process is asked to.
   *
   * @throws {AuthError} where the token is no good
   * @example
   * await McpStdio.run(AppModule);
   *
   * @see MCP basic/transports, "stdio"
   */
  static async run(module: Type | DynamicModule, options: StdioOptions = {}): Promise<void> {
    const { output, release } = guardStandardOutput();
    const application = await NestFactory.createApplicationContext(module, options.nest ?? {});
    const stop = (): void => void process.stdin.destroy();
    for (const signal of SIGNALS) process.once(signal, stop);
    try {
      const { server, token } = options;
      const transport = findTransport(application, server);
      await transport.serve({ input: process.stdin, output, token });
    } finally {
      for (const signal of SIGNALS) process.off(signal, stop);
      await application.close();
      release();
    }
  }
}

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

function findTransport(application: INestApplicationContext, server: string | undefined): StdioTransport {
  return application.get<StdioTransport>(getStdioToken(server), { strict: false });
}
