import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { initialize, perRequest } from '../support/clients/json-rpc.js';
import type { JsonObject, Message } from '../support/clients/message.js';
import { buildEnvironment } from '../support/programs/build-environment.js';
import { NodeProgram } from '../support/programs/node-program.js';
import { SseClient } from '../support/clients/sse-client.js';
import { within } from '../support/until.js';

export const PROGRAM = '.build/test/programs/faulty-server.js';

/** A machine that does much else. */
const START_MS = 60_000;

const INFO = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'e2e', version: '1.0.0' },
};

/** What a request was answered with. */
export type Reply = Pick<Message, 'result' | 'error'>;

/** A client of whatever wire. */
export interface WireClient {
  request(method: string, params?: JsonObject): Promise<Reply>;
}

/** A server in a process of its own, and the clients that one wire to it has. */
interface WireServer {
  /** Ends the process and gives its exit code. */
  stop(): Promise<number | null>;
}

/** A server whose one client is at the other end of its pipes. */
export interface DuplexServer extends WireServer {
  readonly client: WireClient;
  readonly stderr: string;
}

/** What a wire is called, and how two of its clients connect; a pipe has one. */
export type Wire =
  | 'the session wire'
  | 'the stateless wire'
  | 'the session wire on Fastify'
  | 'the stateless wire on Fastify'
  | 'HTTP+SSE'
  | 'stdio';

export const WIRES: readonly Wire[] = [
  'the session wire',
  'the stateless wire',
  'the session wire on Fastify',
  'the stateless wire on Fastify',
  'HTTP+SSE',
  'stdio',
];

/** The faulty server on every wire. */
export class WireServers {
  private constructor(
    private readonly express: HttpServer,
    private readonly fastify: HttpServer,
    private readonly pipe: DuplexServer,
  ) {}

  static async start(environment: NodeJS.ProcessEnv = {}): Promise<WireServers> {
    const [express, fastify, pipe] = await Promise.all([
      startFaulty({ ADAPTER: 'express', ...environment }),
      startFaulty({ ADAPTER: 'fastify', ...environment }),
      startPipe(environment),
    ]);
    return new WireServers(express, fastify, pipe);
  }

  /** Connects a client. */
  async connect(wire: Wire): Promise<WireClient> {
    switch (wire) {
      case 'the session wire':
        return initialize(this.express.url);
      case 'the stateless wire':
        return perRequest(this.express.url);
      case 'the session wire on Fastify':
        return initialize(this.fastify.url);
      case 'the stateless wire on Fastify':
        return perRequest(this.fastify.url);
      case 'HTTP+SSE':
        return connectSse(this.express.url);
      case 'stdio':
        return this.pipe.client;
    }
  }

  async stop(): Promise<void> {
    const { express, fastify, pipe } = this;
    await Promise.all([express.program.stop('SIGKILL'), fastify.program.stop('SIGKILL'), pipe.stop()]);
  }
}

/** A server over HTTP. */
export interface HttpServer {
  readonly program: NodeProgram;
  /** The MCP endpoint. */
  readonly url: string;
}

/** Starts the faulty server and gives its URL. */
export async function startFaulty(environment: NodeJS.ProcessEnv = {}): Promise<HttpServer> {
  const program = new NodeProgram(PROGRAM, environment, ['--expose-gc']);
  await program.prints('ready');
  return { program, url: /ready (\S+)/.exec(program.stdout)?.[1] ?? '' };
}

/** Reads the text that a tool gave. */
export function readText({ result }: Reply): string {
  return (result?.['content'] as { text: string }[] | undefined)?.[0]?.text ?? '';
}

interface Sent {
  readonly method: string;
  readonly params: JsonObject;
  readonly timeoutMs?: number | undefined;
}

/** Answers in whatever order they come. */
class Correlation {
  readonly #waiting = new Map<unknown, (message: Message) => void>();
  #lastId = 0;

  take(message: Message): void {
    this.#waiting.get(message.id)?.(message);
    this.#waiting.delete(message.id);
  }

  request(
    { method, params, timeoutMs = 10_000 }: Sent,
    send: (message: object) => unknown,
  ): Promise<Message> {
    const id = `r${(this.#lastId += 1)}`;
    const answered = new Promise<Message>((resolve) => this.#waiting.set(id, resolve));
    send({ jsonrpc: '2.0', id, method, params });
    return within(answered, `an answer to ${method}`, timeoutMs);
  }
}

async function connectSse(url: string): Promise<WireClient> {
  const client = await SseClient.connect(url.replace('/mcp', '/sse'));
  const correlation = new Correlation();
  const read = async (): Promise<void> => {
    for (;;) correlation.take(await client.stream.nextMessage(undefined, 60_000));
  };
  void read().catch(() => undefined);
  return {
    request: (method, params = {}) =>
      correlation.request({ method, params }, (message) => client.post(message)),
  };
}

/** Starts the faulty server over its pipes, and shakes hands. */
export async function startPipe(environment: NodeJS.ProcessEnv = {}): Promise<DuplexServer> {
  const child = spawn(process.execPath, ['--expose-gc', PROGRAM], {
    env: buildEnvironment({ TRANSPORT: 'stdio', ...environment }),
  });
  const correlation = new Correlation();
  const exit = once(child, 'close');
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  createInterface(child.stdout).on('line', (line) => correlation.take(JSON.parse(line) as Message));
  const send = (message: object) => child.stdin.write(`${JSON.stringify(message)}\n`);
  const client = {
    request: (method: string, params: JsonObject = {}, timeoutMs?: number) =>
      correlation.request({ method, params, timeoutMs }, send),
  };
  await client.request('initialize', INFO, START_MS);
  send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  return {
    client,
    async stop() {
      child.stdin.end();
      await within(exit, 'the end of the program');
      return child.exitCode;
    },
    get stderr() {
      return stderr;
    },
  };
}
