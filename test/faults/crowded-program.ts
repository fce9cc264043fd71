import { fileURLToPath } from 'node:url';
import { NodeProgram } from '../support/programs/node-program.js';

const PROGRAM = fileURLToPath(new URL('../../.build/test/programs/crowded-server.js', import.meta.url));

/** The heap of a small container. */
const HEAP = '--max-old-space-size=256';

/** A process with little memory that callers crowd. */
export class CrowdedProgram extends NodeProgram {
  /** Starts one, as `test/programs/crowded-server.ts` reads the environment, and waits until it listens. */
  static async start(environment: NodeJS.ProcessEnv = {}): Promise<CrowdedProgram> {
    const program = new CrowdedProgram(PROGRAM, environment, [HEAP]);
    await program.prints('ready');
    return program;
  }

  get url(): string {
    return /ready (\S+)/.exec(this.stdout)?.[1] ?? '';
  }

  get port(): number {
    return Number(new URL(this.url).port);
  }
}
