import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import {
  buildProof,
  type DevConnection,
  formatMessage,
  isProof,
  LONGEST_GREETING,
  MessageLines,
} from '../../lib/core/development/dev-connection.js';
import { isObject } from '../../lib/core/protocol/json-rpc.js';
import type { Development } from './development.js';
import type { Reporter } from './failure-printer.js';
import { readReport } from './read-report.js';

/** The maximum number of connections: an application has few processes. */
const MOST_CONNECTIONS = 256;
const GREETED_WITHIN_MS = 5000;

/** The maximum length of an authenticated sender's message, in characters. */
const LONGEST_REPORT = 8 * 1_048_576;

/** The maximum length of a Unix domain socket path on all systems. */
const LONGEST_PATH = 100;

/**
 * Receives reports from applications that know the secret, on a socket that no other user of the machine can open.
 */
export class ReportServer {
  readonly invitation: DevConnection = { path: choosePath(), secret: randomBytes(32).toString('base64url') };
  readonly #server = createServer((socket) => this.#greet(socket));
  readonly #sockets = new Set<Socket>();
  #count = 0;

  constructor(private readonly listener: Pick<Development, 'onBegin' | 'onReport' | 'onEnd'>) {
    this.#server.maxConnections = MOST_CONNECTIONS;
  }

  async listen(): Promise<void> {
    this.#server.listen(this.invitation.path);
    await once(this.#server, 'listening');
  }

  /** Closes all connections and removes the socket, synchronously. */
  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    if (process.platform !== 'win32') rmSync(dirname(this.invitation.path), { recursive: true, force: true });
  }

  #greet(socket: Socket): void {
    const { secret } = this.invitation;
    this.#sockets.add(socket);
    const lines = new MessageLines(LONGEST_GREETING);
    const nonce = randomBytes(16).toString('base64url');
    const late = setTimeout(() => socket.destroy(), GREETED_WITHIN_MS);
    let reporter: Reporter | undefined;
    let isAsked = false;
    const take = (message: unknown): void => {
      if (reporter !== undefined) {
        const report = readReport(message);
        if (report !== undefined) this.listener.onReport(report, reporter);
      } else if (!isAsked) {
        isAsked = true;
        const asked = isObject(message) ? String(message['nonce']) : '';
        socket.write(formatMessage({ proof: buildProof(secret, 'terminal', asked), nonce }));
      } else if (isObject(message) && isProof(message['proof'], buildProof(secret, 'application', nonce))) {
        clearTimeout(late);
        lines.longest = LONGEST_REPORT;
        reporter = { pid: Number(message['pid']), packageRoot: String(message['packageRoot']) };
        void this.#welcome(socket, reporter);
      } else socket.destroy();
    };
    socket.on('data', (chunk: Buffer) => {
      try {
        lines.read(chunk).forEach(take);
      } catch {
        socket.destroy();
      }
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(late);
      this.#sockets.delete(socket);
      if (reporter !== undefined) this.listener.onEnd(reporter);
    });
  }

  async #welcome(socket: Socket, reporter: Reporter): Promise<void> {
    const isRestart = this.#count > 0;
    this.#count += 1;
    await this.listener.onBegin(reporter);
    socket.write(formatMessage({ isRestart }));
  }
}

function choosePath(): string {
  if (process.platform === 'win32') return String.raw`\\.\pipe\nestjs-mcp-` + randomBytes(16).toString('hex');
  const folder = tmpdir().length > LONGEST_PATH / 2 ? '/tmp' : tmpdir();
  return join(mkdtempSync(join(folder, 'nestjs-mcp-')), 'dev');
}
