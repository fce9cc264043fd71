import { spawn, type ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const START_MS = 10_000;

/** A Redis: that of `REDIS_URL`, or one of its own at a free port, which keeps nothing on the disk. */
export class RedisProcess {
  private constructor(
    readonly url: string,
    private readonly child?: ChildProcess,
    private readonly folder?: string,
  ) {}

  static async start({ REDIS_URL, REDIS_SERVER = 'redis-server' } = process.env): Promise<RedisProcess> {
    if (REDIS_URL !== undefined) return new RedisProcess(REDIS_URL);
    const port = await findFreePort();
    const folder = mkdtempSync(join(tmpdir(), 'ferry-redis-'));
    const settings = ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
    // Ctrl+C is for the command, which ends Redis last.
    const child = spawn(REDIS_SERVER, [...settings, '--dir', folder], {
      stdio: ['ignore', 'pipe', 'inherit'],
      detached: true,
    });
    const redis = new RedisProcess(`redis://127.0.0.1:${port}`, child, folder);
    process.once('exit', () => redis.stop());
    await redis.#isReady(REDIS_SERVER);
    return redis;
  }

  stop(): void {
    this.child?.kill('SIGKILL');
    if (this.folder !== undefined) rmSync(this.folder, { recursive: true, force: true });
  }

  async #isReady(command: string): Promise<void> {
    const { child } = this;
    const { promise, resolve, reject } = promiseWithin(START_MS, `"${command}" does not start`);
    child?.once('error', () => reject(new Error(howToInstall(command))));
    child?.once('exit', (code) => reject(new Error(`"${command}" has ended with code ${code}`)));
    child?.stdout?.setEncoding('utf8').on('data', (text: string) => {
      if (/ready to accept connections/i.test(text)) resolve();
    });
    await promise;
  }
}

function howToInstall(command: string): string {
  return `there is no "${command}". Install Redis:

  Debian, Ubuntu   sudo apt-get install redis-server
  Fedora           sudo dnf install redis
  macOS            brew install redis

or say by REDIS_SERVER where redis-server or valkey-server is, or by REDIS_URL which Redis to take.`;
}

function promiseWithin(ms: number, failure: string) {
  let resolve!: () => void;
  let reject!: (error: Error) => void;
  const promise = new Promise<void>((...both) => ([resolve, reject] = both));
  setTimeout(() => reject(new Error(failure)), ms).unref();
  return { promise, resolve, reject };
}

/** Systems give no port of this range to connections by themselves, so that what is free now is still free for Redis. */
async function findFreePort(): Promise<number> {
  for (;;) {
    const server = createServer().listen(randomInt(12_000, 22_000), '127.0.0.1');
    const isFree = await once(server, 'listening').catch(() => undefined);
    if (isFree === undefined) continue;
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, 'close');
    return port;
  }
}
