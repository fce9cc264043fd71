import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { until, within } from '../../support/until.js';

const BUILD = fileURLToPath(new URL('../../../.build/sample/01-desk', import.meta.url));
const START_MS = 30_000;

/** A compiled program of the sample that runs as a process of its own. */
export class DeskProgram {
  /** What the process printed so far. */
  stdout = '';
  stderr = '';
  readonly #child;
  readonly #exit;

  constructor(file: 'main.js' | 'demo.js', environment: NodeJS.ProcessEnv = {}) {
    const { DATABASE_URL: _, ...inherited } = process.env;
    this.#child = spawn(process.execPath, [`${BUILD}/${file}`], { env: { ...inherited, ...environment } });
    this.#exit = once(this.#child, 'close');
    this.#child.stdout.setEncoding('utf8').on('data', (text: string) => (this.stdout += text));
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => (this.stderr += text));
  }

  /** Starts the desk and waits for the URL that it prints. */
  static async start(environment: NodeJS.ProcessEnv = { PORT: '0' }): Promise<DeskProgram> {
    const desk = new DeskProgram('main.js', environment);
    await until(() => desk.stdout.includes('npm run demo'), 'the welcome of the desk', START_MS);
    return desk;
  }

  get url(): string {
    return /at (http:\S+)/.exec(this.stdout)?.[1] ?? '';
  }

  /** Waits until the process has ended and gives its exit code. */
  async exitCode(timeoutMs = START_MS): Promise<number | null> {
    await within(this.#exit, 'the end of the program', timeoutMs);
    return this.#child.exitCode;
  }

  /** Asks the process to end, and gives its exit code. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    this.#child.kill(signal);
    return this.exitCode(10_000);
  }
}
