import { randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import { createConnection, type Socket } from 'node:net';
import { dirname } from 'node:path';
import { settleWithin } from '../../core/waiting/settle-within.js';
import { formatInvitation, type Invitation } from '../../core/development/invitation.js';
import { formatMessage, LONGEST_GREETING, MessageLines } from '../../core/development/message-lines.js';
import { buildProof, isProof } from '../../core/development/proof.js';
import type {
  DevelopmentReport,
  OfferReport,
  ReporterFacts,
  FailureReport,
} from '../../core/development/report.interface.js';
import { isObject } from '../../core/protocol/json-rpc.js';
import { describeFailure } from '../../core/log/describe-failure.js';

/** The listener is on this machine, and answers at once. */
const ANSWERED_WITHIN_MS = 3000;

/** Characters that wait for a reader that is slower than calls come: what comes beyond is counted. */
const MOST_WAITING = 1_048_576;

/** The connection of a process to `nestjs-mcp-cli dev`: all servers of the process report by the same one. */
export class DevelopmentLink {
  static readonly #links = new Map<string, Promise<DevelopmentLink | undefined>>();

  #missed = 0;
  /** The current offers of the servers, by their keys. Offers in between are not reported. */
  readonly #unsent = new Map<string, OfferReport>();

  private constructor(
    private readonly socket: Socket,
    /** Whether the application ran before. */
    readonly isRestart: boolean,
  ) {
    socket.on('drain', () => this.#catchUp());
    // What ends the process is told on the way; nothing of it changes.
    const tell = (error: unknown): void => this.send(buildFailure(error));
    process.on('uncaughtExceptionMonitor', tell);
    socket.on('close', () => process.off('uncaughtExceptionMonitor', tell));
  }

  /** Opens the connection of this process to its inviter. Returns `undefined` if nobody answers there. It never rejects. */
  static async open(invitation: Invitation): Promise<DevelopmentLink | undefined> {
    const key = formatInvitation(invitation);
    const link = DevelopmentLink.#links.get(key) ?? DevelopmentLink.#connect(invitation);
    DevelopmentLink.#links.set(key, link);
    return link;
  }

  /** Reports something. Of what comes faster than it is read, calls are counted, and the last offer of each server is kept. */
  send(report: DevelopmentReport): void {
    if (this.socket.destroyed) return;
    const isHeldUp = this.socket.writableLength > MOST_WAITING;
    if (report.type === 'offer') this.#unsent.delete(report.server);
    if (!isHeldUp) this.socket.write(formatMessage(report));
    else if (report.type === 'offer') this.#unsent.set(report.server, report);
    else if (report.type === 'call') this.#missed += 1;
  }

  /** Reports what was held up. */
  #catchUp(): void {
    const [offers, calls] = [[...this.#unsent.values()], this.#missed];
    this.#unsent.clear();
    this.#missed = 0;
    for (const offer of offers) this.send(offer);
    if (calls > 0) this.send({ type: 'loss', calls });
  }

  /** The listener must first prove that it knows the secret, because the address may belong to somebody else by now. */
  static async #connect({ path, secret }: Invitation): Promise<DevelopmentLink | undefined> {
    const socket = createConnection(path);
    const greeting = greet(socket, secret);
    const isGreeted = await settleWithin(greeting, ANSWERED_WITHIN_MS);
    const isRestart = isGreeted ? await greeting : undefined;
    // What is reported keeps no application running.
    if (isRestart !== undefined) return new DevelopmentLink(socket.unref(), isRestart);
    socket.destroy();
    return undefined;
  }
}

/** Returns whether the application ran before, or `undefined` if nobody is there who knows the secret. */
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

/** In one file with its application the package has no folder. */
function findPackageRoot(): string {
  try {
    return dirname(createRequire(import.meta.url).resolve('nestjs-mcp/package.json'));
  } catch {
    return '';
  }
}

/** A message that a call fails with is read, not stored. */
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

/** Any value can be thrown, even one that throws when it is read. */
function readName(failure: unknown): string {
  try {
    const name: unknown = failure instanceof Error ? failure.name : typeof failure;
    return typeof name === 'string' ? name : 'Error';
  } catch {
    return 'unknown';
  }
}
