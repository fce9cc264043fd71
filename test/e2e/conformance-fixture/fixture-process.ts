import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { until, within } from '../../support/until.js';

const PROGRAM = fileURLToPath(new URL('../../../.build/test/conformance/server.js', import.meta.url));
const READY_LINE = /^ready (http:\/\/127\.0\.0\.1:\d+\/mcp)\n/;
const LONGEST_START_MS = 60_000;
/** Many times what it takes where nothing is waited for, such as a stream that nobody ends. */
const LONGEST_END_MS = 4_000;

/** The fixture as a process of its own. */
export class FixtureProcess {
  /** All that it printed to its standard output. */
  output = '';
  readonly #child: ChildProcessByStdio<null, Readable, null>;
  readonly #exit: Promise<unknown[]>;

  constructor(environment: Record<string, string>) {
    this.#child = spawn(process.execPath, [PROGRAM], {
      env: { PATH: process.env['PATH'], PORT: '0', ...environment },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#exit = once(this.#child, 'close');
    this.#child.stdout.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
  }

  /** Waits for the ready line and gives the URL in it. */
  async url(): Promise<string> {
    const line = await until(() => READY_LINE.exec(this.output), 'the ready line', LONGEST_START_MS);
    return line[1] ?? '';
  }

  /** Sends SIGTERM and gives the exit code, which has to come soon. */
  async stop(): Promise<number | null> {
    this.#child.kill('SIGTERM');
    await within(this.#exit, 'the end of the fixture', LONGEST_END_MS).finally(() => {
      this.#child.kill('SIGKILL');
    });
    return this.#child.exitCode;
  }
}
