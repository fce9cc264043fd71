import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

import { receive } from './child-message.js';
import type { Announced, StreamTarget } from './stream-holder.js';

/** What the process that holds streams is told to do. */
export interface StreamOrder {
  name: 'open' | 'connect' | 'announce';
  count: number;
}

export interface StreamAnswer {
  announced?: Announced | undefined;
  error?: string;
}

/** Files that a process has open besides its sockets. */
const FILES = 100;

/** Streams of one server, held by a process of their own: each process may have only so many sockets. */
export class StreamProcess {
  private readonly child: ChildProcess;

  constructor(target: StreamTarget) {
    this.child = fork(new URL('hold-streams.js', import.meta.url), [JSON.stringify(target)], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
  }

  async open(count: number): Promise<void> {
    await this.order('open', count);
  }

  async connect(): Promise<void> {
    await this.order('connect', 1);
  }

  async announce(times: number): Promise<Announced> {
    const { announced } = await this.order('announce', times);
    if (!announced) throw new Error('The process that holds the streams did not say what they received');
    return announced;
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const exit = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await exit;
  }

  private async order(name: StreamOrder['name'], count: number): Promise<StreamAnswer> {
    const answered = receive<StreamAnswer>(this.child);
    this.child.send({ name, count } satisfies StreamOrder);
    const answer = await answered;
    if (answer.error !== undefined) throw new Error(answer.error);
    return answer;
  }
}

/**
 * Makes sure that a process may have as many sockets as there are streams.
 *
 * @throws Error if it may not
 */
export function assertOpenFiles(streams: number): void {
  const { userLimits } = process.report.getReport() as unknown as OpenFilesReport;
  // Node raises the soft limit of its processes to the hard one.
  const { hard } = userLimits.open_files;
  const needed = streams + FILES;
  if (hard === 'unlimited' || hard >= needed) return;
  throw new Error(
    `${streams} streams take ${needed} open files a process, the limit is ${hard}: raise it with "ulimit -Hn ${needed}"`,
  );
}

interface OpenFilesReport {
  userLimits: { open_files: { hard: number | 'unlimited' } };
}
