import { fork, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { maskHeaders, type LoadTarget } from '../wire/load-target.js';
import type { GivenHeaders } from '../../server/parse-header.js';
import { findHeader, type RawResponse } from '../wire/raw-response.js';
import type { BarePart, BareReply } from './bare-part.js';

/** The measured server's response, which the baseline server repeats. */
export interface Recorded {
  readonly answer: RawResponse;
  /** The request id. */
  readonly id: number;
  /** The events that were written to each stream. @default none */
  readonly event?: string;
}

/** The headers that clients depend on. */
const KEPT_HEADERS = ['content-type', 'mcp-session-id'];

/** The baseline server, in a separate process like the measured server. */
export class BareProcess {
  private constructor(
    private readonly child: ChildProcess,
    private readonly url: URL,
  ) {}

  static async start(): Promise<BareProcess> {
    const child = fork(findProgram(), [], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    const { port } = await receive<Extract<BareReply, { port: number }>>(child);
    const path = randomBytes(16).toString('hex');
    return new BareProcess(child, new URL(`http://127.0.0.1:${port}/${path}`));
  }

  /** Builds the target for requests that the measured server would receive with these headers. */
  buildTarget(headers: GivenHeaders): LoadTarget {
    return { url: this.url, isRemote: false, headers: maskHeaders(headers) };
  }

  /** Makes the baseline server repeat one of the measured server's responses. */
  async play({ answer, id, event }: Recorded): Promise<void> {
    const { status, head, body } = answer;
    const headers = KEPT_HEADERS.flatMap((name) => {
      const value = findHeader(head, name);
      return value === undefined ? [] : [[name, value] as const];
    });
    const ready = receive(this.child);
    this.child.send({
      path: this.url.pathname,
      status,
      headers: Object.fromEntries(headers),
      body: body.toString('utf8'),
      idOffset: body.indexOf(String(id)),
      ...(event !== undefined && { event }),
    } satisfies BarePart);
    await ready;
  }

  stop(): void {
    this.child.kill('SIGKILL');
  }
}

async function receive<Reply extends BareReply>(child: ChildProcess): Promise<Reply> {
  const over = new AbortController();
  const { signal } = over;
  const message = once(child, 'message', { signal }).then(([reply]) => reply as Reply);
  const end = once(child, 'exit', { signal }).then((): never => {
    throw new Error('The baseline server exited');
  });
  for (const waiting of [message, end]) waiting.catch(() => undefined);
  try {
    return await Promise.race([message, end]);
  } finally {
    over.abort();
  }
}

/** The package is a bundle, so this file's path does not reveal the paths of others. */
function findProgram(): string {
  const manifest = createRequire(import.meta.url).resolve('nestjs-mcp-cli/package.json');
  return join(dirname(manifest), 'dist/bench/bare/bare-server.js');
}
