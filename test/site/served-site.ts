import { once } from 'node:events';
import { createReadStream, existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** What a web server gives out. */
export const FOLDER = fileURLToPath(new URL('../../.build/site/served/', import.meta.url));

/** The path that `build-site.js` builds it for. */
export const BASE = '/nestjs-mcp/';

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.md': 'text/markdown; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
};

/** The built site, as any web server gives out files. */
export class ServedSite {
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(): Promise<ServedSite> {
    const server = createServer(({ url = '' }, response) => {
      const { pathname } = new URL(url, 'http://site');
      const file = join(FOLDER, decodeURI(pathname.slice(BASE.length)).replace(/(^|\/)$/, '$1index.html'));
      if (!pathname.startsWith(BASE) || !isFile(file)) return response.writeHead(404).end();
      response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' });
      return createReadStream(file).pipe(response);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new ServedSite(server);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}${BASE}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

/** Lists the files of the built site, with forward slashes, from its first page. */
export function listServed(): readonly string[] {
  return readdirSync(FOLDER, { recursive: true, encoding: 'utf8' });
}

/** Lists the HTML pages of the built site, without those that only lead elsewhere. */
export function listPages(): readonly string[] {
  return listServed().filter(
    (name) => name.endsWith('.html') && name !== '404.html' && !readServed(name).includes('name="robots"'),
  );
}

/** Reads a file of the built site. */
export function readServed(name: string): string {
  return readFileSync(join(FOLDER, name), 'utf8');
}

function isFile(file: string): boolean {
  return existsSync(file) && statSync(file).isFile();
}
