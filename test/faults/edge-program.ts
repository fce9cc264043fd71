import { fileURLToPath } from 'node:url';
import type { AdapterName } from '../support/applications/boot.js';
import { NodeProgram } from '../support/programs/node-program.js';
import { sendHttp } from '../support/clients/raw-http.js';
import { until } from '../support/until.js';

const PROGRAM = fileURLToPath(new URL('../../.build/test/programs/edge-server.js', import.meta.url));

/** What a server holds. */
export interface EdgeFigures {
  /** After full collections. */
  readonly heapBytes: number;
  /** Connections, that of the question among them. */
  readonly sockets: number;
  readonly sessions: number;
  /** What keeps the process alive, by kind: sockets, timers, pipes. */
  readonly resources: Readonly<Record<string, number>>;
  /** Handlers that wait to be aborted, and those that were. */
  readonly running: number;
  readonly aborted: number;
}

interface EdgeOptions {
  readonly adapter?: AdapterName;
  /** Options of the module. */
  readonly options?: object;
  /** How many tools it lists, with about eight kilobytes each. */
  readonly tools?: number;
  readonly headersTimeoutMs?: number;
}

/** A process that serves what a test ill-treats, and tells what it holds. */
export class EdgeProgram extends NodeProgram {
  /** Starts one and waits until it listens. */
  static async start({ adapter, options, tools, headersTimeoutMs }: EdgeOptions = {}): Promise<EdgeProgram> {
    const environment = {
      ...(adapter && { ADAPTER: adapter }),
      ...(options && { OPTIONS: JSON.stringify(options) }),
      ...(tools !== undefined && { TOOLS: String(tools) }),
      ...(headersTimeoutMs !== undefined && { HEADERS_TIMEOUT_MS: String(headersTimeoutMs) }),
    };
    const program = new EdgeProgram(PROGRAM, environment, ['--expose-gc']);
    await program.prints('ready');
    return program;
  }

  get url(): string {
    return /ready (\S+)/.exec(this.stdout)?.[1] ?? '';
  }

  get port(): number {
    return Number(new URL(this.url).port);
  }

  /** Gives what is held now, once all garbage is gone. */
  figures(): Promise<EdgeFigures> {
    return this.#ask('/figures?collected');
  }

  /** Waits until what is held is as it should be; garbage counts. */
  async holds(isSo: (figures: EdgeFigures) => boolean, awaited: string, timeoutMs = 10_000): Promise<void> {
    let figures: EdgeFigures | undefined;
    const holds = async (): Promise<boolean> => isSo((figures = await this.#ask('/figures')));
    await until(holds, () => `${awaited}, which holds ${JSON.stringify(figures)}`, timeoutMs);
  }

  /** Waits until nothing is connected and as many sessions are open as before, and gives what is held then. */
  async settle({ sessions }: Pick<EdgeFigures, 'sessions'>, timeoutMs = 10_000): Promise<EdgeFigures> {
    const isAlone = (figures: EdgeFigures) => figures.sockets === 1 && figures.sessions === sessions;
    await this.holds(isAlone, 'a server that is alone again', timeoutMs);
    return this.figures();
  }

  async #ask(path: string): Promise<EdgeFigures> {
    const { json } = await sendHttp(new URL(path, this.url).href);
    return json as EdgeFigures;
  }
}
