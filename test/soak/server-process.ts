import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { within } from '../support/until.js';
import type { ServerBounds } from './options.js';

/** What the server process is told on its command line. */
export interface SoakSettings extends ServerBounds {
  readonly issuer: string;
  readonly audience: string;
}

/** What a server process uses once all garbage is gone. */
export interface Usage {
  /** The heap, and what buffers have beside it. */
  readonly heapBytes: number;
  readonly rssBytes: number;
  readonly cpuMs: number;
  readonly sessions: number;
}

/** What is left in the server process after `app.close()`. */
export interface Remains {
  /** What keeps the process alive, by kind. */
  readonly resources: readonly string[];
  /** Intervals that nobody has cleared. */
  readonly intervals: number;
  readonly closeMs: number;
}

const ANSWER_MS = 30_000;

/** The server under load, in a process of its own that says what it uses when asked. */
export class ServerProcess {
  private constructor(
    private readonly child: ChildProcess,
    readonly port: number,
  ) {}

  static async start(settings: SoakSettings): Promise<ServerProcess> {
    const child = fork(new URL('server/main.js', import.meta.url), [JSON.stringify(settings)], {
      env: { ...process.env, NODE_ENV: 'production' },
      execArgv: ['--expose-gc'],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const { port } = await receive<{ port: number }>(child);
    return new ServerProcess(child, port);
  }

  readUsage(): Promise<Usage> {
    return this.#ask('usage');
  }

  /** Closes the application, and nothing else. */
  closeApplication(): Promise<Remains> {
    return this.#ask('close');
  }

  /** Gives the exit code where the process ends by itself, `undefined` where it does not in time. */
  async awaitEnd(timeoutMs: number): Promise<number | null | undefined> {
    if (this.child.exitCode === null) {
      const end = once(this.child, 'exit');
      await within(end, 'the end of the server', timeoutMs).catch(() => undefined);
    }
    const { exitCode, signalCode } = this.child;
    return exitCode === null && signalCode === null ? undefined : exitCode;
  }

  kill(): void {
    this.child.kill('SIGKILL');
  }

  #ask<Answer>(question: 'usage' | 'close'): Promise<Answer> {
    const answer = receive<Answer>(this.child);
    this.child.send(question);
    return answer;
  }
}

async function receive<Message>(child: ChildProcess): Promise<Message> {
  const over = new AbortController();
  const { signal } = over;
  const message = once(child, 'message', { signal }).then(([received]) => received as Message);
  const exit = once(child, 'exit', { signal }).then(([code]): never => {
    throw new Error(`The server process ended with ${code}`);
  });
  exit.catch(() => undefined);
  message.catch(() => undefined);
  try {
    return await within(Promise.race([message, exit]), 'an answer of the server process', ANSWER_MS);
  } finally {
    over.abort();
  }
}
