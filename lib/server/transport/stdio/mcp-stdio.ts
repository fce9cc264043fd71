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
  /** The server to start in an application with multiple servers. @default the default server */
  readonly server?: string;
  /** The token for the caller that started the process. Read it from an environment variable. @default none */
  readonly token?: string | undefined;
  /** How long running calls may continue after the input ends, in milliseconds. @default 5000 */
  readonly graceMs?: number;
  /** Options for `NestFactory.createApplicationContext()`. All logger output goes to standard error. */
  readonly nest?: Parameters<typeof NestFactory.createApplicationContext>[1];
}

export const STDIO = optionGroup<StdioOptions, 'server' | 'token' | 'nest'>({
  server: nonEmptyString,
  token: string,
  graceMs: [millisecondsOrNone, 5000],
  nest: object,
});

/** The module to serve. Pass the promise of an `import()` if loading the module may write to standard output. */
export type StdioModule = Type | DynamicModule | Promise<Type | DynamicModule>;

/** Serves an application over stdio, for clients that start a server as a process. */
export class McpStdio {
  /**
   * Starts the application without HTTP and serves until the input ends or a signal arrives. Then it closes the
   * application and ends the process soon afterwards, even if timers or connections are still open.
   *
   * @throws {StdioTokenError} if the token is invalid
   * @throws {McpConfigurationError} if an option is invalid; the error names the first one
   * @example
   * await McpStdio.run(AppModule);
   *
   * @see MCP basic/transports, "stdio"
   */
  static async run(module: StdioModule, options: StdioOptions = {}): Promise<void> {
    asserting(McpConfigurationError, () => STDIO.check('McpStdio.run', options));
    // Standard output stays guarded until the end, because the client would parse output from a hook or a timer as a
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

/** Nest passes the signal to hooks, but its types omit it. */
interface ClosingApplication extends INestApplicationContext {
  close(signal?: string): Promise<void>;
}

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** Milliseconds for the client to read the last responses. */
const LAST_WRITES_MS = 2000;

/** How long open timers and connections may keep the process running, in milliseconds. */
const LINGER_MS = 2000;

/** Handles the first termination signal. A second signal of the same kind ends the process immediately. */
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

/** Otherwise, a client that has closed its end would have to kill the process. */
function endSoon(): void {
  setTimeout(() => process.exit(), LINGER_MS).unref();
}

function ignore(): void {
  // The client or the log reader is gone.
}

function findTransport(application: INestApplicationContext, server: string | undefined): StdioTransport {
  return application.get<StdioTransport>(getStdioToken(server), { strict: false });
}

/** Standard output, reserved for the protocol. */
export interface GuardedOutput {
  /** The stream that still writes to it. */
  readonly output: Writable;
  /** Restores standard output. */
  release(): void;
}

/**
 * Reserves standard output for the protocol: everything else that the process writes to it, including loggers and
 * `console`, goes to standard error.
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
  // A closed log must not crash the process.
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
