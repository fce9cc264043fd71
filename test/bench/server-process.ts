import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

import { type Ready, type ServerSettings } from './servers/serve.js';

/** A server under measurement, in a process of its own that reports its processor time when asked. */
export class ServerProcess {
  private constructor(
    private readonly child: ChildProcess,
    readonly port: number,
    /** What opens the server, if it is protected. */
    readonly token: string | undefined,
  ) {}

  static async start(program: string, settings: ServerSettings): Promise<ServerProcess> {
    const child = fork(new URL(`servers/${program}.js`, import.meta.url), [JSON.stringify(settings)], {
      env: { ...process.env, NODE_ENV: 'production' },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const { port, token } = await receive<Ready>(child);
    return new ServerProcess(child, port, token);
  }

  /** Reads the user and system time of all the process's threads so far, in microseconds. */
  async readCpuMicroseconds(): Promise<number> {
    this.child.send('cpu');
    const { user, system } = await receive<NodeJS.CpuUsage>(this.child);
    return user + system;
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const exit = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await exit;
  }
}

async function receive<Message>(child: ChildProcess): Promise<Message> {
  const abort = new AbortController();
  const { signal } = abort;
  const message = once(child, 'message', { signal }).then(([received]) => received as Message);
  const exit = once(child, 'exit', { signal }).then(([code]): never => {
    throw new Error(`The server process ended with ${code}`);
  });
  exit.catch(() => undefined);
  message.catch(() => undefined);
  try {
    return await Promise.race([message, exit]);
  } finally {
    abort.abort();
  }
}
