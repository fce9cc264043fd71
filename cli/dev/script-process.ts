import { spawn, spawnSync, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { constants } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { UsageError } from '../usage.error.js';
import { quoteVisible } from '../visible-text.js';

/** A command, and where to run it. */
export interface ScriptCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly environment: NodeJS.ProcessEnv;
}

/** The grace period in milliseconds between a signal and a kill. */
export const GRACE_MS = 10_000;
const KILL_MS = 2000;
const POLL_MS = 50;

/** On Windows, package managers are shell scripts. */
const NEEDS_SHELL = process.platform === 'win32';

/** Arguments that do not need quotes in any shell. */
const PLAIN = /^[\w:.@/\\=,+-]+$/;

/** A script and its descendants: a process group on POSIX systems. */
export class ScriptProcess {
  /** Resolves with the exit code when the script and its descendants have exited; rejects if it cannot be started. */
  readonly ended: Promise<number>;
  readonly #child: ChildProcessWithoutNullStreams;
  #isStopping = false;
  #hasEnded = false;

  /** @throws {UsageError} if a shell would misinterpret an argument */
  constructor({ command, args, cwd, environment: env }: ScriptCommand) {
    this.#child = NEEDS_SHELL
      ? spawn(joinForShell([command, ...args]), { cwd, env, shell: true })
      : spawn(command, args, { cwd, env, detached: true });
    this.ended = this.#follow(command);
  }

  /** Its standard input and outputs. */
  get streams(): Pick<ChildProcessWithoutNullStreams, 'stdin' | 'stdout' | 'stderr'> {
    return this.#child;
  }

  /** Sends a signal to the script and its descendants. */
  stop(signal: NodeJS.Signals): void {
    this.#isStopping = true;
    this.#signal(signal);
  }

  /** Kills the script and its descendants, synchronously. */
  kill(): void {
    this.#isStopping = true;
    this.#signal('SIGKILL');
  }

  #follow(command: string): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#child.once('error', (cause) => reject(explainStart(command, cause)));
      this.#child.once('exit', (code, signal) => {
        const exitCode = code ?? 128 + (signal === null ? 0 : constants.signals[signal]);
        resolve(this.#endRest().then(() => exitCode));
      });
    });
  }

  /** A script may exit before its descendants. */
  async #endRest(): Promise<void> {
    if (!this.#isStopping) this.#signal('SIGTERM');
    if (!(await this.#areGone(GRACE_MS))) {
      this.kill();
      await this.#areGone(KILL_MS);
    }
    this.#hasEnded = true;
  }

  async #areGone(withinMs: number): Promise<boolean> {
    for (let waited = 0; waited < withinMs; waited += POLL_MS) {
      if (!this.#signal(0)) return true;
      await delay(POLL_MS);
    }
    return !this.#signal(0);
  }

  /** Sends a signal. Returns whether there was a process. */
  #signal(signal: NodeJS.Signals | 0): boolean {
    const { pid } = this.#child;
    // The process ID may have been reused.
    if (pid === undefined || this.#hasEnded) return false;
    if (process.platform === 'win32') return signalTree(pid, signal);
    try {
      return process.kill(-pid, signal);
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'EPERM';
    }
  }
}

/** Windows has neither process groups nor signals, so the process tree is killed. */
function signalTree(pid: number, signal: NodeJS.Signals | 0): boolean {
  // Ctrl-C reaches all processes of a console.
  if (signal === 0 || signal === 'SIGINT') return isThere(pid);
  const { status } = spawnSync('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore' });
  return status === 0;
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function joinForShell(words: readonly string[]): string {
  const odd = words.find((word) => !PLAIN.test(word));
  if (odd !== undefined) {
    throw new UsageError(
      `A Windows shell would misinterpret ${quoteVisible(odd)}: use only letters and digits`,
    );
  }
  return words.join(' ');
}

function explainStart(command: string, cause: Error): Error {
  if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') return cause;
  return new UsageError(
    `"${command}", which runs this application's scripts, is not installed: install it, or run "corepack enable"`,
    { cause },
  );
}
