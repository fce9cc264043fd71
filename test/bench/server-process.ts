import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

import { receive } from './child-message.js';
import type { Processors } from './processors.js';
import type { Protection } from './protection.js';
import type { HeldMemory, Question, Ready, ServerSettings } from './servers/serve.js';

interface StartOptions {
  processors: Processors;
  /** Options of Node, such as "--expose-gc". */
  nodeOptions?: string[];
  /** Lets the process end by itself, which then writes what Node keeps until its end. */
  endsGently?: boolean;
  /** What protects the server; it ends with it. */
  protection?: Protection | undefined;
}

/** A server under measurement, in a process of its own that reports its processor time and memory when asked. */
export class ServerProcess {
  private constructor(
    private readonly child: ChildProcess,
    readonly port: number,
    private readonly protection: Protection | undefined,
    private readonly endsGently: boolean,
  ) {}

  /** What opens the server, if it is protected. */
  get token(): string | undefined {
    return this.protection?.token;
  }

  static async start(
    program: string,
    settings: ServerSettings,
    { processors, nodeOptions = [], endsGently = false, protection }: StartOptions,
  ): Promise<ServerProcess> {
    const child = fork(new URL(`servers/${program}.js`, import.meta.url), [JSON.stringify(settings)], {
      env: { ...process.env, NODE_ENV: 'production' },
      execArgv: nodeOptions,
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    processors.giveServer(child.pid);
    const { port } = await receive<Ready>(child);
    return new ServerProcess(child, port, protection, endsGently);
  }

  /** Reads the user and system time of all the process's threads so far, in microseconds. */
  async readCpuMicroseconds(): Promise<number> {
    const { user, system } = await this.ask<NodeJS.CpuUsage>('cpu');
    return user + system;
  }

  /** Reads what the process holds once nothing is left to collect; it has to be started with "--expose-gc". */
  readMemory(): Promise<HeldMemory> {
    return this.ask('memory');
  }

  /** Reads the longest pause of the event loop since the last question, in milliseconds; the first one begins to watch it. */
  readPause(): Promise<number> {
    return this.ask('pause');
  }

  async stop(): Promise<void> {
    await this.protection?.issuer.stop();
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const exit = once(this.child, 'exit');
    if (this.endsGently) this.child.disconnect();
    else this.child.kill('SIGKILL');
    await exit;
  }

  private ask<Answer>(question: Question): Promise<Answer> {
    const answer = receive<Answer>(this.child);
    this.child.send(question);
    return answer;
  }
}
