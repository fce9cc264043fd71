import { randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import { createConnection, type Socket } from 'node:net';
import { dirname } from 'node:path';
import { settleWithin } from '../../core/async/timeouts.js';
import {
  buildProof,
  type DevConnection,
  formatDevConnection,
  formatMessage,
  isProof,
  LONGEST_GREETING,
  MessageLines,
} from '../../core/development/dev-connection.js';
import type {
  DevelopmentReport,
  OfferReport,
  ReporterFacts,
  FailureReport,
} from '../../core/development/report.js';
import { isObject } from '../../core/protocol/json-rpc.js';
import { describeFailure } from '../../core/log/describe-failure.js';

/** The listener runs on this machine, so it responds immediately. */
const GREETING_TIMEOUT_MS = 3000;

/** The maximum number of buffered characters. Reports beyond it are only counted. */
const MAX_BUFFERED = 1_048_576;

/** A process's connection to `nestjs-mcp-cli dev`, shared by all its servers. */
export class DevelopmentLink {
  static readonly #links = new Map<string, Promise<DevelopmentLink | undefined>>();

  #missed = 0;
  /** The latest unsent offer of each server. Older ones are dropped. */
  readonly #unsent = new Map<string, OfferReport>();

  private constructor(
    private readonly socket: Socket,
    /** Whether the application has run before. */
    readonly isRestart: boolean,
  ) {
    socket.on('drain', () => this.#catchUp());
    // Reports the error that is about to crash the process without handling it.
    const report = (error: unknown): void => this.send(buildFailure(error));
    process.on('uncaughtExceptionMonitor', report);
    socket.on('close', () => process.off('uncaughtExceptionMonitor', report));
  }

  /**
   * Connects this process to the `dev` process that invited it. Resolves to `undefined` if there is no response, and
   * never rejects.
   */
  static async open(invitation: DevConnection): Promise<DevelopmentLink | undefined> {
    const key = formatDevConnection(invitation);
    const link = DevelopmentLink.#links.get(key) ?? DevelopmentLink.#connect(invitation);
    DevelopmentLink.#links.set(key, link);
    return link;
  }

  /** Sends a report. While the reader is too slow, calls are counted, and only the latest offer of each server is retained. */
  send(report: DevelopmentReport): void {
    if (this.socket.destroyed) return;
    const isCongested = this.socket.writableLength > MAX_BUFFERED;
    if (report.type === 'offer') this.#unsent.delete(report.server);
    if (!isCongested) this.socket.write(formatMessage(report));
    else if (report.type === 'offer') this.#unsent.set(report.server, report);
    else if (report.type === 'call') this.#missed += 1;
  }

  /** Reports what was delayed. */
  #catchUp(): void {
    const [offers, calls] = [[...this.#unsent.values()], this.#missed];
    this.#unsent.clear();
    this.#missed = 0;
    for (const offer of offers) this.send(offer);
    if (calls > 0) this.send({ type: 'loss', calls });
  }

  /**
   * The listener must first prove that it knows the secret, because a different program may be listening at the
   * address by now.
   */
  static async #connect({ path, secret }: DevConnection): Promise<DevelopmentLink | undefined> {
    const socket = createConnection(path);
    const greeting = greet(socket, secret);
    const isGreeted = await settleWithin(greeting, GREETING_TIMEOUT_MS);
    const isRestart = isGreeted ? await greeting : undefined;
    // The connection must not keep the application running.
    if (isRestart !== undefined) return new DevelopmentLink(socket.unref(), isRestart);
    socket.destroy();
    return undefined;
  }
}

/** Resolves to whether the application ran before, or `undefined` if no listener knows the secret. */
function greet(socket: Socket, secret: string): Promise<boolean | undefined> {
  const nonce = randomBytes(16).toString('base64url');
  const lines = new MessageLines(LONGEST_GREETING);
  let isKnown = false;
  return new Promise((resolve) => {
    socket.on('error', () => resolve(undefined));
    socket.on('close', () => resolve(undefined));
    socket.on('connect', () => socket.write(formatMessage({ nonce })));
    socket.on('data', (chunk: Buffer) => {
      for (const message of readMessages(lines, chunk)) {
        if (isKnown) return resolve(isObject(message) && message['isRestart'] === true);
        if (!isObject(message) || !isProof(message['proof'], buildProof(secret, 'terminal', nonce)))
          return resolve(undefined);
        isKnown = true;
        const proof = buildProof(secret, 'application', String(message['nonce']));
        socket.write(formatMessage({ proof, ...describeReporter() }));
      }
    });
  });
}

function readMessages(lines: MessageLines, chunk: Buffer): readonly unknown[] {
  try {
    return lines.read(chunk);
  } catch {
    return [undefined];
  }
}

function describeReporter(): ReporterFacts {
  return { pid: process.pid, packageRoot: findPackageRoot() };
}

/** A bundled application has no package folder. */
function findPackageRoot(): string {
  try {
    return dirname(createRequire(import.meta.url).resolve('nestjs-mcp/package.json'));
  } catch {
    return '';
  }
}

/** Messages are meant for people, so long ones are truncated. */
const LONGEST = 4000;

/** Describes an error and its call. */
export function buildFailure(
  failure: unknown,
  call: Pick<FailureReport, 'server' | 'method' | 'target'> = {},
): FailureReport {
  const { text, message = text, stack = '' } = describeFailure(failure);
  return {
    type: 'failure',
    ...call,
    name: readName(failure),
    message: message.slice(0, LONGEST),
    stack: stack.slice(0, LONGEST * 4),
  };
}

/** A thrown value can be anything, even an object whose getters throw. */
function readName(failure: unknown): string {
  try {
    const name: unknown = failure instanceof Error ? failure.name : typeof failure;
    return typeof name === 'string' ? name : 'Error';
  } catch {
    return 'unknown';
  }
}
