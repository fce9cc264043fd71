import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { ANSWER_MS, until, within } from '../until.js';
import { buildEnvironment } from './build-environment.js';

const START_MS = 60_000;

/** A JavaScript file that runs as a process of its own. */
export class NodeProgram {
  /** What the process printed so far. */
  stdout = '';
  stderr = '';
  readonly #child;
  readonly #exit;
  /** It is over when all of what it printed has been read, which may be after its exit. */
  #isOver = false;

  constructor(
    file: string,
    environment: NodeJS.ProcessEnv = {},
    nodeOptions: readonly string[] = [],
    programOptions: readonly string[] = [],
  ) {
    this.#child = spawn(process.execPath, [...nodeOptions, file, ...programOptions], {
      env: buildEnvironment(environment),
    });
    this.#exit = once(this.#child, 'close');
    this.#child.once('close', () => (this.#isOver = true));
    this.#child.stdout.setEncoding('utf8').on('data', (text: string) => (this.stdout += text));
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => (this.stderr += text));
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Waits until the process has printed a text, and fails with what it printed where it ends before. */
  async prints(text: string): Promise<void> {
    await until(() => this.stdout.includes(text) || this.#isOver, `"${text}"`, START_MS);
    if (!this.stdout.includes(text)) throw new Error(`The program has ended\n${this.stdout}${this.stderr}`);
  }

  /** Waits until the process has ended and gives its exit code. */
  async exitCode(timeoutMs = START_MS): Promise<number | null> {
    await within(this.#exit, 'the end of the program', timeoutMs);
    return this.#child.exitCode;
  }

  /** Sends a signal, and does not wait. */
  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Asks the process to end, and gives its exit code. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    this.#child.kill(signal);
    return this.exitCode(ANSWER_MS);
  }
}
