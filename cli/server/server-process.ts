import { execFile, type ChildProcess } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { settleWithin } from '../../lib/core/waiting/settle-within.js';
import { makeVisible, quoteVisible } from '../visible-text.js';
import { nameServer, type StartedServer } from './called-server.js';
import { GOODBYE_MS } from './goodbye-ms.js';

const run = promisify(execFile);

/** Lists the processes that a process started, and those that these started. What starts servers, such as npx, is often not the server. */
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

/** Ends processes at once, as far as they are still there. */
function endProcesses(pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended by itself.
    }
  }
}

/** Ends a process of Windows with all that it started, which signals there do not reach. */
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

/** The name of a program stands in parentheses, and may have any character. */
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

/** What a server wrote to its standard error, as far as it is shown. */
const LONGEST_LOG = 64 * 1024;
const MOST_LINES = 20;

/** How a process ended. */
export interface ProcessEnding {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** Is thrown if the server that a command started cannot be started, or has ended before it was done with. */
export class ServerEndedError extends Error {
  override readonly name = 'ServerEndedError';

  constructor(message: string, cause: unknown) {
    super(message, { cause });
  }

  /** Creates the error of a process that ended by itself. */
  static ofEnding(command: string, { code, signal }: ProcessEnding, cause: unknown): ServerEndedError {
    const how = signal === null ? `ended with exit code ${code}` : `was ended by ${signal}`;
    return new ServerEndedError(
      `The server ${quoteVisible(command)} ${how} before it had answered: run the command by itself to see why`,
      cause,
    );
  }

  /** Creates the error of a process that did not begin. */
  static ofStart(
    command: string,
    { code, cwd }: { readonly code: string; readonly cwd: string | undefined },
    cause: unknown,
  ): ServerEndedError {
    const folder = cwd === undefined ? '' : ', and that there is the folder of "--cwd"';
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
   * Prepares a server. It starts with its transport, in the way of the official client, which knows the scripts of Windows.
   *
   * @param onOutput receives what it writes to its standard output
   */
  static async prepare(
    server: StartedServer,
    onOutput: (chunk: Buffer) => void = () => undefined,
  ): Promise<ServerProcess> {
    const { StdioClientTransport: Official } = await import('@modelcontextprotocol/client/stdio');
    const { command, args, env, cwd, responseLimit } = server;
    /** Of a class of its own, the official client starts one process alone. */
    class Transport extends Official {
      override async start(): Promise<void> {
        await super.start();
        // The transport has the process, and does not say how it ended.
        const child = Reflect.get(this, '_process') as ChildProcess | undefined;
        child?.once('exit', (code, signal) => {
          started.#exit = { code, signal };
          if (!started.#isClosing) started.#ending = { code, signal };
        });
        child?.stdout?.on('data', onOutput);
      }

      /** The official client also closes what fails to connect. */
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
      maxBufferSize: responseLimit.maximumBytes,
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

  /** How it ended by itself; absent if it runs, or was told to end. */
  get ending(): ProcessEnding | undefined {
    return this.#ending;
  }

  /** Whether the end of its input did not end it. */
  get wasForced(): boolean {
    const { code, signal } = this.#exit ?? {};
    // What a shell started has ended with 128 and the number of the signal.
    return this.#isClosing && (typeof signal === 'string' || code === 143 || code === 137);
  }

  /** Explains an error by what became of the process. */
  explain(error: unknown): unknown {
    const command = nameServer(this.server);
    if (this.#ending !== undefined) return ServerEndedError.ofEnding(command, this.#ending, error);
    const { code, syscall } = (error ?? {}) as NodeJS.ErrnoException;
    if (!String(syscall).startsWith('spawn')) return error;
    return ServerEndedError.ofStart(command, { code: String(code), cwd: this.server.cwd }, error);
  }

  /** Ends it, and everything that it started. */
  async close(): Promise<void> {
    await this.transport.close();
  }

  #noteLog(chunk: Buffer): void {
    this.#log = (this.#log + chunk.toString('utf8')).slice(-LONGEST_LOG);
  }
}

/** Ends a process and everything that it started: at first by the end of its input, then by force. */
async function closeTree(pid: number | null, close: () => Promise<void>): Promise<void> {
  if (pid === null) return close();
  const descendants = await listDescendants(pid);
  const closing = close();
  if (process.platform === 'win32' && !(await settleWithin(closing, GOODBYE_MS))) await endWindowsTree(pid);
  await closing;
  endProcesses(descendants);
}
