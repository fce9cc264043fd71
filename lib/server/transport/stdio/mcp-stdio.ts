import { finished } from 'node:stream/promises';
import type { DynamicModule, INestApplicationContext, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import {
  asserting,
  millisecondsOrNone,
  nonEmptyString,
  object,
  string,
} from '../../../core/checks/option-checks.js';
import { optionGroup } from '../../../core/checks/option-group.js';
import { settleWithin } from '../../../core/async/timeouts.js';
import { McpConfigurationError } from '../../settings/mcp-configuration.error.js';
import { getStdioToken } from '../../settings/server-tokens.js';
import type { StdioTransport } from './stdio-transport.js';
import { Writable } from 'node:stream';

/** Options of `McpStdio.run()`. */
export interface StdioOptions {
  /** The server to serve, in an application with several. @default the default server */
  readonly server?: string;
  /** The token of the caller that started the process. Read it from an environment variable. @default none */
  readonly token?: string | undefined;
  /** Milliseconds that running calls may take after the input has ended. @default 5000 */
  readonly graceMs?: number;
  /** Options for `NestFactory.createApplicationContext()`. Everything that its logger writes goes to standard error. */
  readonly nest?: Parameters<typeof NestFactory.createApplicationContext>[1];
}

export const STDIO = optionGroup<StdioOptions, 'server' | 'token' | 'nest'>({
  server: nonEmptyString,
  token: string,
  graceMs: [millisecondsOrNone, 5000],
  nest: object,
});

/** The module to serve. Give the promise of an `import()` if loading the module may write to standard output. */
export type StdioModule = Type | DynamicModule | Promise<Type | DynamicModule>;

/** Serves an application over standard input and output, for clients that start a server as a process. */
export class McpStdio {
  /**
   * Starts the application without HTTP, and serves until the input ends or a signal asks the process to end. Then it
   * closes the application. Soon after, it ends the process, even if something keeps the process alive.
   *
   * @throws {StdioTokenError} if the token is not valid
   * @throws {McpConfigurationError} if an option is wrong; the error names the first
   * @example
   * await McpStdio.run(AppModule);
   *
   * @see MCP basic/transports, "stdio"
   */
  static async run(module: StdioModule, options: StdioOptions = {}): Promise<void> {
    asserting(McpConfigurationError, () => STDIO.check('McpStdio.run', options));
    // Standard output stays guarded to the end, because the client would take the output of a hook or a timer for a
    // message.
    const { output } = guardStandardOutput();
    const { server, token, graceMs, nest = {} } = STDIO.build(options);
    const application: ClosingApplication = await NestFactory.createApplicationContext(await module, nest);
    const stop = new StopSignals();
    try {
      const transport = findTransport(application, server);
      await transport.serve({ input: process.stdin, output, token, graceMs, signal: stop.signal });
    } finally {
      stop.release();
      process.stdin.destroy();
      await application.close(stop.received);
      output.end();
      await settleWithin(finished(output).catch(ignore), LAST_WRITES_MS);
      endSoon();
    }
  }
}

/** Hooks are told the signal, which Nest's own type does not say. */
interface ClosingApplication extends INestApplicationContext {
  close(signal?: string): Promise<void>;
}

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** Milliseconds that a client may take to read the last answers. */
const LAST_WRITES_MS = 2000;

/** Milliseconds that open timers and connections of the application may hold the process. */
const LINGER_MS = 2000;

/** Handles the first signal that asks the process to end. The next signal of its kind ends the process at once. */
class StopSignals {
  readonly #stop = new AbortController();
  received: NodeJS.Signals | undefined;

  constructor() {
    for (const signal of SIGNALS) process.once(signal, this.#note);
  }

  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  release(): void {
    for (const signal of SIGNALS) process.off(signal, this.#note);
  }

  readonly #note = (signal: NodeJS.Signals): void => {
    this.received ??= signal;
    this.#stop.abort();
  };
}

/** Otherwise a client that has closed its end would have to kill the process. */
function endSoon(): void {
  setTimeout(() => process.exit(), LINGER_MS).unref();
}

function ignore(): void {
  // No reader is left: neither of the last responses nor of the log.
}

function findTransport(application: INestApplicationContext, server: string | undefined): StdioTransport {
  return application.get<StdioTransport>(getStdioToken(server), { strict: false });
}

/** Standard output while it is kept for the protocol. */
export interface GuardedOutput {
  /** What still writes there. */
  readonly output: Writable;
  /** Gives it back to everybody. */
  release(): void;
}

/**
 * Keeps standard output for the protocol: whatever else the process writes there, its loggers and `console` among it,
 * goes to standard error.
 *
 * @see MCP basic/transports, "stdio"
 */
export function guardStandardOutput(): GuardedOutput {
  const { stdout, stderr } = process;
  const write = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr);
  const output = new Writable({
    decodeStrings: false,
    write: (line: string, encoding, done) => void write(line, encoding, done),
  });
  const destroy = (error: Error): void => void output.destroy(error);
  stdout.on('error', destroy);
  // A log that nobody reads any more is no reason to crash.
  stderr.on('error', ignore);
  return {
    output,
    release() {
      stdout.write = write;
      stdout.off('error', destroy);
      stderr.off('error', ignore);
    },
  };
}
