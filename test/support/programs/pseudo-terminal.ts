import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { until, within } from '../until.js';
import { buildEnvironment } from './build-environment.js';

const START_MS = 60_000;

/** A command at a terminal that is not there: it sees one, and what it shows is seen here. */
export class PseudoTerminal {
  /** All that was shown, as the terminal gets it. */
  shown = '';
  readonly #child;
  readonly #exit;
  /** It is over when all of what it showed has been read, which may be after its exit. */
  #isOver = false;

  constructor(command: readonly string[], environment: NodeJS.ProcessEnv = {}, cwd: string = process.cwd()) {
    const isBsd = process.platform === 'darwin';
    const quoted = command.map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`).join(' ');
    const args = isBsd ? ['-q', '/dev/null', ...command] : ['-qec', quoted, '/dev/null'];
    this.#child = spawn('script', args, { env: buildEnvironment({ TERM: 'xterm', ...environment }), cwd });
    this.#exit = once(this.#child, 'close');
    this.#child.once('close', () => (this.#isOver = true));
    this.#child.stdin.on('error', () => undefined);
    this.#child.stdout.setEncoding('utf8').on('data', (text: string) => (this.shown += text));
  }

  /** Waits until a text is shown. */
  async shows(text: string): Promise<void> {
    await until(() => this.shown.includes(text) || this.#isOver, `"${text}"`, START_MS);
    if (!this.shown.includes(text)) throw new Error(`The command has ended\n${this.shown}`);
  }

  /** Types. */
  type(text: string): void {
    this.#child.stdin.write(text);
  }

  /** Waits for the end of the command, and gives its exit code. */
  async exitCode(): Promise<number | null> {
    await within(this.#exit, 'the end of the command', START_MS);
    return this.#child.exitCode;
  }

  /** Ends what still runs. */
  async end(): Promise<void> {
    this.#child.kill('SIGKILL');
    await within(this.#exit, 'the end of the terminal', START_MS);
  }
}
