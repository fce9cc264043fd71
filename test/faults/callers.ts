import { randomBytes, randomUUID } from 'node:crypto';
import type { LoadConnection } from '../../cli/bench/wire/load-connection.js';
import { connect } from '../bench/session.js';
import { findHeader, type RawResponse } from '../../cli/bench/wire/raw-response.js';
import { median } from '../bench/statistics.js';
import { createRequest } from '../bench/wire.js';
import { formatToken } from '../support/authorization/issuer-key.js';
import { AUDIENCE, type TestIssuer } from '../support/authorization/issuer.js';
import { visitMeanwhile } from './second-caller.js';

const CALL = { method: 'tools/call', params: { name: 'greet', arguments: {} } };

/** Calls a tool over one connection, with whatever token. */
export class Caller {
  private constructor(
    private readonly connection: LoadConnection,
    private readonly port: number,
  ) {}

  static async open(port: number): Promise<Caller> {
    return new Caller(await connect({ port }), port);
  }

  call(token?: string): Promise<RawResponse> {
    const request = createRequest({ port: this.port, token, wire: 'perRequest' }, CALL);
    return this.connection.exchange(request.next().bytes);
  }

  close(): void {
    this.connection.destroy();
  }
}

/** What callers were answered. */
export class Answers {
  /** How often each status was given. */
  readonly statuses: Record<number, number> = {};
  readonly #latenciesMs: number[] = [];

  add({ status }: RawResponse, latencyMs: number): void {
    this.statuses[status] = (this.statuses[status] ?? 0) + 1;
    this.#latenciesMs.push(latencyMs);
  }

  get count(): number {
    return this.#latenciesMs.length;
  }

  get medianMs(): number {
    return median(this.#latenciesMs);
  }

  get longestMs(): number {
    return this.#latenciesMs.reduce((longest, latency) => Math.max(longest, latency), 0);
  }
}

interface Calls {
  readonly port: number;
  /** @default none */
  readonly token?: string;
  /** Where the answers are noted. @default fresh ones */
  readonly answers?: Answers;
}

/** Calls with one token over and over while something else happens. */
export async function callMeanwhile(
  { port, token, answers = new Answers() }: Calls,
  act: () => Promise<unknown>,
): Promise<Answers> {
  const caller = await Caller.open(port);
  try {
    await visitMeanwhile(() => record(caller, token, answers), act());
  } finally {
    caller.close();
  }
  return answers;
}

interface Storm {
  readonly port: number;
  readonly requests: number;
  readonly connections: number;
  /** Gives the token of each request. */
  readonly createToken: () => string;
  /** Where the answers are noted. @default fresh ones */
  readonly answers?: Answers;
}

/** Sends so many requests over so many connections, each as soon as the last one is answered. */
export async function storm({
  port,
  requests,
  connections,
  createToken,
  answers = new Answers(),
}: Storm): Promise<Answers> {
  let left = requests;
  const blow = async () => {
    const caller = await Caller.open(port);
    while (left-- > 0) await record(caller, createToken(), answers);
    caller.close();
  };
  await Promise.all(Array.from({ length: connections }, blow));
  return answers;
}

async function record(caller: Caller, token: string | undefined, answers: Answers): Promise<void> {
  const begun = performance.now();
  answers.add(await caller.call(token), performance.now() - begun);
}

/** Makes tokens that are right in all but the key, which nobody has: each names another. */
export function createForger({ url }: TestIssuer): () => string {
  const signature = randomBytes(64).toString('base64url');
  const now = Math.floor(Date.now() / 1000);
  const payload = { iss: url, sub: 'ada', aud: AUDIENCE, client_id: 'desk-app', iat: now, exp: now + 3600 };
  return () =>
    formatToken({ header: { alg: 'ES256', kid: randomUUID(), typ: 'at+jwt' }, payload }, signature);
}

/** Gives after how many seconds an answer asks to be tried again. */
export function readRetryAfter({ head }: RawResponse): number {
  return Number(findHeader(head, 'retry-after'));
}
