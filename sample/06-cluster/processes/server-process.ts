import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('../server.js', import.meta.url));

/** One process of the server. */
export class ServerProcess {
  private constructor(
    readonly name: string,
    readonly origin: string,
    private readonly child: ChildProcess,
  ) {}

  static async start(name: string, environment: NodeJS.ProcessEnv): Promise<ServerProcess> {
    const env = { ...process.env, ...environment, PORT: '0', PROCESS_NAME: name };
    const child = fork(PROGRAM, { env, detached: true });
    const ended = once(child, 'exit').then(() => {
      throw new Error(`${name} did not start`);
    });
    const [{ origin }] = (await Promise.race([once(child, 'message'), ended])) as [{ origin: string }];
    ended.catch(() => undefined);
    return new ServerProcess(name, origin, child);
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const exit = once(this.child, 'exit');
    this.child.kill(signal);
    await exit;
  }
}
