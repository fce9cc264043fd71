import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { within } from '../support/until.js';

const PROGRAM = fileURLToPath(new URL('./drive.mjs', import.meta.url));

/** The sample starts its database before it answers over a pipe, which takes seconds; so does loading some of the clients. */
const START_MS = 60_000;
const ANSWER_MS = 30_000;

/** Where a client finds its server, and how. */
export type Place =
  | { readonly transport: 'http' | 'sse'; readonly url: string }
  | { readonly transport: 'stdio'; readonly command: string; readonly args: readonly string[] };

interface Answer {
  readonly id?: number;
  readonly isReady?: boolean;
  readonly result?: unknown;
  readonly error?: string;
}

/** How the answer to a command is handed on. */
interface Settlement {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/** A client that runs in a process of its own, by a driver of `drivers`. */
export class DrivenClient {
  #lastId = 0;
  readonly #pending = new Map<number, Settlement>();

  private constructor(
    private readonly child: ChildProcess,
    private readonly stderr: () => string,
  ) {
    child.on('message', (answer: Answer) => this.#settle(answer));
    child.once('exit', () => {
      for (const { reject } of this.#pending.values()) reject(new Error(`The client has ended\n${stderr()}`));
    });
  }

  /** Starts a client, and waits until it is connected. */
  static async start(driver: string, place: Place, options: object = {}): Promise<DrivenClient> {
    const child = fork(PROGRAM, [driver, JSON.stringify({ ...place, ...options })], {
      execPath: clientsNode(),
      execArgv: ['--disable-warning=ExperimentalWarning'],
      env: { ...process.env, NODE_OPTIONS: '', OPENAI_AGENTS_DISABLE_TRACING: '1', GENKIT_ENV: 'prod' },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    let printed = '';
    for (const output of [child.stdout, child.stderr]) {
      output?.setEncoding('utf8').on('data', (text: string) => (printed += text));
    }
    const ended = once(child, 'exit').then(() => [{ error: 'it has ended' }]);
    const [answer] = (await within(
      Promise.race([once(child, 'message'), ended]),
      'a client to connect',
      START_MS,
    )) as [Answer];
    if (answer.isReady === true) return new DrivenClient(child, () => printed);
    child.kill();
    throw new Error(`The client "${driver}" does not connect: ${answer.error}\n${printed}`);
  }

  listTools(): Promise<readonly string[]> {
    return this.#ask('listTools');
  }

  callTool(name: string, given: object = {}): Promise<string> {
    return this.#ask('callTool', name, given);
  }

  readResource(uri: string): Promise<string> {
    return this.#ask('readResource', uri);
  }

  getPrompt(name: string, given: object): Promise<string> {
    return this.#ask('getPrompt', name, given);
  }

  /** Closes the client as its own applications do, and ends its process. */
  async stop(): Promise<void> {
    const isOver = once(this.child, 'exit');
    await this.#ask('close').catch(() => undefined);
    this.child.disconnect();
    this.child.kill();
    await isOver;
  }

  #ask<Result>(method: string, ...args: readonly unknown[]): Promise<Result> {
    const id = (this.#lastId += 1);
    const answer = new Promise<Result>((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      this.child.send({ id, method, args });
    });
    answer.catch(() => undefined);
    return within(answer, `${method} of a client`, ANSWER_MS, () => this.stderr().length);
  }

  #settle({ id, result, error }: Answer): void {
    const pending = this.#pending.get(id ?? 0);
    this.#pending.delete(id ?? 0);
    if (error === undefined) pending?.resolve(result);
    else pending?.reject(new Error(`${error}\n${this.stderr()}`));
  }
}

/** The Node that came with the clients. */
export function clientsNode(): string {
  return process.env['CLIENTS_NODE'] ?? process.execPath;
}
