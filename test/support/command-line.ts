import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { within } from './until.js';

const FILE = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const LONGEST_RUN_MS = 30_000;

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
  /** Options of Node, such as what is loaded before. */
  readonly nodeOptions?: readonly string[];
}

/** Runs the command line as a process of its own. */
export async function runCommandLine(args: readonly string[], setup: RunSetup = {}): Promise<Ending> {
  const { input = '', environment = {}, nodeOptions = [] } = setup;
  const child = spawn(process.execPath, [...nodeOptions, FILE, ...args], {
    env: { ...process.env, ...environment },
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  child.stdin.on('error', () => undefined).end(input);
  try {
    await within(once(child, 'close'), `the end of "${args.join(' ')}"`, LONGEST_RUN_MS);
  } finally {
    child.kill('SIGKILL');
  }
  return { code: child.exitCode, stdout, stderr };
}
