import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { NodeProgram } from './node-program.js';
import { perRequest } from '../clients/json-rpc.js';
import { textOfTask } from '../clients/task-wires.js';

/** The program that runs tasks; what it does is set by its environment. */
export const TASK_SERVER = fileURLToPath(
  new URL('../../../.build/test/programs/task-server.js', import.meta.url),
);

/** What a program says of itself. */
export interface Figures {
  readonly heapBytes: number;
  readonly peak: number;
  readonly done: number;
}

/** A process that runs tasks and serves them over HTTP. */
export class TaskProgram extends NodeProgram {
  /** Starts one and waits until it listens. */
  static async start(environment: NodeJS.ProcessEnv = {}): Promise<TaskProgram> {
    const program = new TaskProgram(TASK_SERVER, environment, ['--expose-gc']);
    await program.prints('ready');
    return program;
  }

  get url(): string {
    return /ready (\S+)/.exec(this.stdout)?.[1] ?? '';
  }

  async figures(): Promise<Figures> {
    const { result } = await perRequest(this.url).request('tools/call', { name: 'figures' });
    return JSON.parse(textOfTask(result ?? {})) as Figures;
  }
}

/** A directory of a test's own. */
export class TemporaryDirectory {
  readonly path = mkdtempSync(join(tmpdir(), 'nestjs-mcp-'));

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}
