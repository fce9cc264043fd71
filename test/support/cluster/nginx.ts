import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findFreePort } from '../../conformance/find-free-port.js';
import { until, within } from '../until.js';

const SETTINGS = fileURLToPath(new URL('../../../sample/06-cluster/nginx.conf', import.meta.url));
const START_MS = 30_000;
const FOLDERS = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];

/** Where nginx is on this machine; nothing if it is not installed. */
export const NGINX = FOLDERS.map((folder) => join(folder, 'nginx')).find((path) => existsSync(path));

/** nginx, with the settings that the page on scaling and the sample give, before servers of a test. */
export class Nginx {
  /** What it wrote to its log of errors. */
  errors = '';
  readonly #child: ChildProcess;

  private constructor(
    readonly origin: string,
    private readonly folder: string,
  ) {
    const settings = ['-p', folder, '-c', join(folder, 'all.conf'), '-e', 'stderr'];
    this.#child = spawn(NGINX ?? 'nginx', settings, { stdio: ['ignore', 'ignore', 'pipe'] });
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => (this.errors += text));
  }

  /** Starts it before some origins, and waits until it listens. */
  static async start(origins: readonly string[]): Promise<Nginx> {
    const port = await findFreePort();
    const folder = mkdtempSync(join(tmpdir(), 'nestjs-mcp-nginx-'));
    writeFileSync(join(folder, 'all.conf'), format(readFileSync(SETTINGS, 'utf8'), origins, port));
    const nginx = new Nginx(`http://127.0.0.1:${port}`, folder);
    const child = nginx.#child;
    await until(() => child.exitCode !== null || listens(port), 'nginx', START_MS);
    if (child.exitCode === null) return nginx;
    rmSync(folder, { recursive: true });
    throw new Error(`nginx has ended\n${nginx.errors}`);
  }

  /** The endpoint of the server behind it. */
  get url(): string {
    return `${this.origin}/mcp`;
  }

  async stop(): Promise<void> {
    const ended = this.#child.exitCode === null && once(this.#child, 'close');
    this.#child.kill('SIGTERM');
    if (ended) await within(ended, 'the end of nginx', START_MS);
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Puts the settings into a whole configuration, with the servers and the port of a test. */
function format(settings: string, origins: readonly string[], port: number): string {
  let index = 0;
  const own = settings
    .replaceAll(/server server-\d:3000/g, () => `server ${new URL(origins[index++] ?? '').host}`)
    .replace('listen 80;', `listen 127.0.0.1:${port};`);
  if (index !== origins.length || !own.includes(String(port))) throw new Error('The settings have changed');
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${name};`,
  );
  return `
    daemon off;
    master_process off;
    pid nginx.pid;
    events {}
    http {
      access_log off;
      ${folders.join(' ')}
      ${own}
    }
  `;
}

async function listens(port: number): Promise<boolean> {
  const socket = createConnection(port, '127.0.0.1');
  const isOpen = await once(socket, 'connect').then(
    () => true,
    () => false,
  );
  socket.destroy();
  return isOpen;
}
