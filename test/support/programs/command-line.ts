import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { until, within } from '../until.js';
import { buildEnvironment } from './build-environment.js';

const FILE = fileURLToPath(new URL('../../../cli/dist/main.js', import.meta.url));
const LONGEST_RUN_MS = 60_000;

/** What a run of the command line came to. */
export interface Ending {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** What a run is given besides its arguments. */
export interface RunSetup {
  /** What is typed; the input ends behind it. @default '' */
  readonly input?: string;
  readonly environment?: NodeJS.ProcessEnv;
  /** The folder that it runs in. @default that of the tests */
  readonly cwd?: string;
  /** Options of Node, such as what is loaded before. */
  readonly nodeOptions?: readonly string[];
}

/** The command line as a process of its own, which goes on. */
export class CommandLine {
  stdout = '';
  stderr = '';
  readonly #child;
  readonly #exit;

  constructor(
    private readonly args: readonly string[],
    { input = '', environment = {}, cwd, nodeOptions = [] }: RunSetup = {},
  ) {
    const child = spawn(process.execPath, [...nodeOptions, FILE, ...args], {
      env: buildEnvironment(environment),
      ...(cwd !== undefined && { cwd }),
    });
    this.#child = child;
    this.#exit = once(child, 'close');
    child.stdout.setEncoding('utf8').on('data', (text: string) => (this.stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (this.stderr += text));
    child.stdin.on('error', () => undefined).end(input);
  }

  /** Waits until what is no result matches a pattern, and gives its first group. */
  async says(pattern: RegExp): Promise<string> {
    const match = await until(() => pattern.exec(this.stderr), String(pattern), LONGEST_RUN_MS);
    return match[1] ?? match[0];
  }

  /** Waits until what was asked for matches a pattern, behind a place, and gives where the match ends. */
  async prints(pattern: RegExp, after = 0): Promise<number> {
    const find = () => pattern.exec(this.stdout.slice(after));
    const show = () => `${pattern} in\n${this.stdout.slice(after)}\n${this.stderr}`;
    const match = await until(find, show, LONGEST_RUN_MS);
    return after + match.index + match[0].length;
  }

  /** Closes the pipe that an output goes to, as a reader does who has seen enough. */
  stopReading(output: 'stdout' | 'stderr' = 'stdout'): void {
    this.#child[output].destroy();
  }

  /** Does what Ctrl-C does. */
  interrupt(): void {
    this.signal('SIGINT');
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Waits for the end. */
  async ends(): Promise<Ending> {
    try {
      await within(this.#exit, `the end of "${this.args.join(' ')}"`, LONGEST_RUN_MS);
    } finally {
      this.#child.kill('SIGKILL');
    }
    return { code: this.#child.exitCode, stdout: this.stdout, stderr: this.stderr };
  }
}

/** Runs the command line to its end. */
export async function runCommandLine(args: readonly string[], setup: RunSetup = {}): Promise<Ending> {
  return new CommandLine(args, setup).ends();
}
