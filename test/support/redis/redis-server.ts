import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { findFreePort } from '../../conformance/find-free-port.js';
import { until, within } from '../until.js';

const START_MS = 30_000;

/** Runs the server until standard input ends, which it does when the process of the tests is gone, however it went. */
const KEEPER = `
  exec 3<&0
  "$@" < /dev/null 3<&- &
  server=$!
  echo "pid $server"
  { read -r _ <&3; kill -9 $server; } &
  reader=$!
  wait $server
  kill $reader
  wait
`;

export interface RedisServerOptions {
  /** What `redis-server` is given on its command line, such as `--maxmemory 4mb`; it wins over what the tests give it. @default none */
  readonly settings?: readonly string[];
  /** Whether data outlives the process: each write is on the disk before it is answered. @default false */
  readonly keepsData?: boolean;
  /** Lines of a file of settings, which a Sentinel needs to write to. @default none */
  readonly file?: readonly string[];
  /** The password of the user `default`. @default none */
  readonly password?: string;
  /** @default a free one */
  readonly port?: number;
}

/**
 * A real `redis-server`, or `valkey-server`, on a free port of the loopback: `REDIS_SERVER` says where it is.
 *
 * @example
 * const redis = await RedisServer.start();
 * const client = new Redis(redis.url);
 * redis.pause();
 * await redis.stop();
 */
export class RedisServer {
  readonly port: number;
  readonly #folder = mkdtempSync(join(tmpdir(), 'nestjs-mcp-redis-'));
  readonly #file: string;
  readonly #settings: readonly string[];
  readonly #password: string | undefined;
  #keeper: ChildProcess | undefined;
  #pid = 0;
  #output = '';

  private constructor(port: number, options: RedisServerOptions) {
    const { settings = [], file = [], keepsData = false, password } = options;
    this.port = port;
    this.#password = password;
    const appendOnly = keepsData ? ['yes', '--appendfsync', 'always'] : ['no'];
    const path = join(this.#folder, 'redis.conf');
    writeFileSync(path, file.join('\n'));
    this.#file = path;
    const login = password === undefined ? [] : ['--requirepass', password];
    this.#settings = [
      '--save',
      '',
      '--appendonly',
      ...appendOnly,
      '--dir',
      this.#folder,
      ...login,
      ...settings,
    ];
  }

  /** Starts a server, and waits until it answers. */
  static async start(options: RedisServerOptions = {}): Promise<RedisServer> {
    const server = new RedisServer(options.port ?? (await findFreePort()), options);
    await server.start();
    return server;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  /** Starts the process after {@link kill}, and waits until it answers. */
  async start(): Promise<void> {
    const server = process.env.REDIS_SERVER ?? 'redis-server';
    const settings = [this.#file, '--port', `${this.port}`, '--bind', '127.0.0.1', ...this.#settings];
    this.#pid = 0;
    this.#output = '';
    const keeper = spawn('sh', ['-c', KEEPER, 'sh', server, ...settings], {
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.#keeper = keeper;
    for (const stream of [keeper.stdout, keeper.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (this.#output += text));
    await until(() => this.#findPid(), 'the process of Redis', START_MS);
    await until(
      async () => keeper.exitCode !== null || (await answers(this.port)),
      'Redis to answer',
      START_MS,
    );
    if (keeper.exitCode === null) return;
    await this.stop();
    throw new Error(`Redis has ended\n${this.#output}`);
  }

  /** Stops the process where it is: it keeps connections, and answers nothing. */
  pause(): void {
    process.kill(this.#pid, 'SIGSTOP');
  }

  resume(): void {
    process.kill(this.#pid, 'SIGCONT');
  }

  /** Ends the process by SIGKILL; the port and the folder stay for {@link start}. */
  async kill(): Promise<void> {
    const keeper = this.#keeper;
    if (keeper === undefined) return;
    this.#keeper = undefined;
    const ended = keeper.exitCode === null && once(keeper, 'exit');
    keeper.stdin?.end();
    if (ended) await within(ended, 'the end of Redis', START_MS);
  }

  /** Kills the process and starts it again: with its data, if it keeps them. */
  async restart(): Promise<void> {
    await this.kill();
    await this.start();
  }

  /** Sends one command over a connection of its own, and gives the answer. */
  async send(command: string, ...values: readonly (string | number)[]): Promise<unknown> {
    const client = new Redis(this.port, '127.0.0.1', {
      lazyConnect: true,
      ...(this.#password !== undefined && { password: this.#password }),
      retryStrategy: () => null,
      enableReadyCheck: false,
    });
    client.on('error', () => undefined);
    try {
      return await client.call(command, ...values);
    } finally {
      // Once it is closed, ioredis would keep the process for two seconds more.
      if (client.status !== 'end') client.disconnect();
    }
  }

  /** Kills the process, and removes what it kept. */
  async stop(): Promise<void> {
    await this.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #findPid(): number {
    this.#pid = Number(/^pid (\d+)$/m.exec(this.#output)?.[1] ?? 0);
    return this.#pid;
  }
}

/** Whether Redis serves commands at a port; what still loads its data does not. */
async function answers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    socket.write('PING\r\n');
    const [answer] = (await once(socket, 'data', { signal: AbortSignal.timeout(1_000) })) as [Buffer];
    return /^\+PONG|^-NOAUTH/.test(answer.toString());
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
