import { execFile, type ChildProcess } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { settleWithin } from '../../lib/core/async/timeouts.js';
import { makeVisible, quoteVisible } from '../visible-text.js';
import { nameServer, type StartedServer } from './called-server.js';
import { CLOSING_TIMEOUT_MS } from './closing-timeout.js';

const run = promisify(execFile);

/** Lists the descendants of a process. A launcher such as npx is often not the server itself. */
async function listDescendants(pid: number): Promise<readonly number[]> {
  const parents = await readParents().catch(() => new Map<number, number>());
  const found: number[] = [];
  const visit = (parent: number): void => {
    for (const [child, itsParent] of parents) {
      if (itsParent !== parent || found.includes(child)) continue;
      found.push(child);
      visit(child);
    }
  };
  visit(pid);
  return found;
}

/** Kills processes that are still running. */
function endProcesses(pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has already exited.
    }
  }
}

/** Kills a process tree on Windows, where signals do not reach it. */
async function endWindowsTree(pid: number): Promise<void> {
  await run('taskkill', ['/PID', String(pid), '/T', '/F']).catch(() => undefined);
}

/** Reads the parent of each process. */
async function readParents(): Promise<ReadonlyMap<number, number>> {
  if (process.platform === 'win32') return new Map();
  if (process.platform !== 'linux') return readListed();
  const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const pairs = await Promise.all(names.map(readParent));
  return new Map(pairs.filter((pair) => pair !== undefined));
}

/** The program name is in parentheses, and may contain any character. */
async function readParent(pid: string): Promise<readonly [pid: number, parent: number] | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const [, parent] = /^[^]*\) \S (\d+) /.exec(text) ?? [];
  return parent === undefined ? undefined : [Number(pid), Number(parent)];
}

async function readListed(): Promise<ReadonlyMap<number, number>> {
  const { stdout } = await run('ps', ['-A', '-o', 'pid=,ppid=']);
  return new Map(
    [...stdout.matchAll(/^\s*(\d+)\s+(\d+)\s*$/gm)].map(([, pid, parent]) => [Number(pid), Number(parent)]),
  );
}

/** The number of lines to show from a server's standard error. */
const LONGEST_LOG = 64 * 1024;
const MOST_LINES = 20;

/** How a process ended. */
export interface ProcessEnding {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** Thrown if a server process cannot be started, or exits early. */
export class ServerEndedError extends Error {
  override readonly name = 'ServerEndedError';

  constructor(message: string, cause: unknown) {
    super(message, { cause });
  }

  /** Creates the error for a process that exited early. */
  static ofEnding(command: string, { code, signal }: ProcessEnding, cause: unknown): ServerEndedError {
    const how = signal === null ? `exited with code ${code}` : `was terminated by ${signal}`;
    return new ServerEndedError(
      `The server ${quoteVisible(command)} ${how} before it responded: run the command directly to see why`,
      cause,
    );
  }

  /** Creates the error for a process that cannot be started. */
  static ofStart(
    command: string,
    { code, cwd }: { readonly code: string; readonly cwd: string | undefined },
    cause: unknown,
  ): ServerEndedError {
    const folder = cwd === undefined ? '' : ', and that the "--cwd" folder exists';
    return new ServerEndedError(
      `The server ${quoteVisible(command)} cannot be started (${code}): make sure that the program is installed${folder}`,
      cause,
    );
  }
}

/** A server that a command started. */
export class ServerProcess {
  #log = '';
  #ending: ProcessEnding | undefined;
  #isClosing = false;
  #exit: ProcessEnding | undefined;

  private constructor(
    private readonly server: StartedServer,
    readonly transport: StdioClientTransport,
  ) {}

  /**
   * Prepares a server process. The official client's transport starts it, because it handles scripts on Windows.
   *
   * @param onOutput receives what it writes to its standard output
   */
  static async prepare(
    server: StartedServer,
    onOutput: (chunk: Buffer) => void = () => undefined,
  ): Promise<ServerProcess> {
    const { StdioClientTransport: Official } = await import('@modelcontextprotocol/client/stdio');
    const { command, args, env, cwd, responseLimit } = server;
    /** A subclass, because the official client exposes neither the process's exit nor its output. */
    class Transport extends Official {
      override async start(): Promise<void> {
        await super.start();
        // The transport does not expose how the process exited.
        const child = Reflect.get(this, '_process') as ChildProcess | undefined;
        child?.once('exit', (code, signal) => {
          started.#exit = { code, signal };
          if (!started.#isClosing) started.#ending = { code, signal };
        });
        child?.stdout?.on('data', onOutput);
      }

      /** The official client also closes a transport that fails to connect. */
      override async close(): Promise<void> {
        started.#isClosing = true;
        await closeTree(this.pid, () => super.close());
      }
    }
    const transport = new Transport({
      command,
      args: [...args],
      env: { ...env },
      stderr: 'pipe',
      ...(cwd !== undefined && { cwd }),
      maxBufferSize: responseLimit.maxBytes,
    });
    const started = new ServerProcess(server, transport);
    transport.stderr?.on('data', (chunk: Buffer) => started.#noteLog(chunk));
    return started;
  }

  /** The last lines that it wrote to its standard error; empty if there are none. */
  get log(): readonly string[] {
    const lines = makeVisible(this.#log).split('\n');
    return lines.filter((line) => line.trim() !== '').slice(-MOST_LINES);
  }

  /** How it exited early; absent if it is running, or was shut down. */
  get ending(): ProcessEnding | undefined {
    return this.#ending;
  }

  /** Whether it did not exit when its standard input was closed. */
  get wasForced(): boolean {
    const { code, signal } = this.#exit ?? {};
    // A shell reports a signal as 128 plus its number.
    return this.#isClosing && (typeof signal === 'string' || code === 143 || code === 137);
  }

  /** Explains an error based on how the process exited. */
  explain(error: unknown): unknown {
    const command = nameServer(this.server);
    if (this.#ending !== undefined) return ServerEndedError.ofEnding(command, this.#ending, error);
    const { code, syscall } = (error ?? {}) as NodeJS.ErrnoException;
    if (!String(syscall).startsWith('spawn')) return error;
    return ServerEndedError.ofStart(command, { code: String(code), cwd: this.server.cwd }, error);
  }

  /** Shuts it down with all its descendants. */
  async close(): Promise<void> {
    await this.transport.close();
  }

  #noteLog(chunk: Buffer): void {
    this.#log = (this.#log + chunk.toString('utf8')).slice(-LONGEST_LOG);
  }
}

/** Shuts down a process and its descendants: closes standard input first, then kills them. */
async function closeTree(pid: number | null, close: () => Promise<void>): Promise<void> {
  if (pid === null) return close();
  const descendants = await listDescendants(pid);
  const closing = close();
  if (process.platform === 'win32' && !(await settleWithin(closing, CLOSING_TIMEOUT_MS)))
    await endWindowsTree(pid);
  await closing;
  endProcesses(descendants);
}
