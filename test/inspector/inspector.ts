import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { JsonObject } from '../support/clients/message.js';

/** The launcher of all of its programs. */
export const INSPECTOR = fileURLToPath(
  new URL(
    '../conformance/inspector/node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js',
    import.meta.url,
  ),
);

/** The sample starts its database before it answers over a pipe, which takes seconds. */
const CONNECT_MS = 40_000;
const RUN_MS = 50_000;

/** How the inspector ended, and what it printed. */
export interface Inspection {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The command line of the official inspector, which connects anew for each method. */
export class Inspector {
  private constructor(
    /** Where it stores what it has to, and nothing else of the user is. */
    readonly home: string,
    private readonly environment: NodeJS.ProcessEnv,
  ) {}

  /** Creates one with a home of its own, so that it neither finds nor leaves anything in that of the user. */
  static async create(environment: NodeJS.ProcessEnv = {}): Promise<Inspector> {
    return new Inspector(await mkdtemp(join(tmpdir(), 'inspector-')), environment);
  }

  /** Removes its home. */
  dispose(): Promise<void> {
    return rm(this.home, { recursive: true, force: true });
  }

  /** Runs the inspector with its own arguments; the target comes first. */
  run(...args: readonly string[]): Promise<Inspection> {
    const env = { ...process.env, ...this.environment, HOME: this.home, DATABASE_URL: undefined };
    return new Promise((resolve) => {
      const { stdin } = execFile(
        inspectorNode(),
        [INSPECTOR, '--cli', ...args, '--connect-timeout', `${CONNECT_MS}`],
        { timeout: RUN_MS, env },
        (error, stdout, stderr) => {
          resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
        },
      );
      // It asks whether to step up, where a login has to.
      stdin?.on('error', () => undefined).write('y\n');
    });
  }

  /** Runs a method and gives its result; fails with what the inspector printed where it complains. */
  async call(...args: readonly string[]): Promise<JsonObject> {
    const { code, stdout, stderr } = await this.run(...args, '--format', 'json');
    if (code !== 0) throw new Error(`The inspector has ended with ${code}\n${stdout}${stderr}`);
    return (JSON.parse(stdout) as { readonly result: JsonObject }).result;
  }
}

/** The Node that the inspector needs. */
export function inspectorNode(): string {
  return process.env['INSPECTOR_NODE'] ?? process.execPath;
}
