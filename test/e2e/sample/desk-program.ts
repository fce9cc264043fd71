import { fileURLToPath } from 'node:url';
import { NodeProgram } from '../../support/programs/node-program.js';

const BUILD = fileURLToPath(new URL('../../../.build/sample/01-desk', import.meta.url));

/** A compiled program of the sample, on the embedded database unless told otherwise. */
export class DeskProgram extends NodeProgram {
  constructor(file: 'main.js' | 'demo.js', environment: NodeJS.ProcessEnv = {}) {
    super(`${BUILD}/${file}`, { DATABASE_URL: undefined, ...environment });
  }

  /** Starts the desk and waits for the URL that it prints. */
  static async start(): Promise<DeskProgram> {
    const desk = new DeskProgram('main.js', { PORT: '0' });
    await desk.prints('npm run demo');
    return desk;
  }

  get url(): string {
    return /open (http:\S+) in a browser/.exec(this.stdout)?.[1] ?? '';
  }
}
