import { Connection } from './connection.js';
import { findHeader, type HttpAnswer, parseMessage } from './http-answer.js';
import { RequestTemplate } from './request-template.js';
import { type ServerProcess } from './server-process.js';
import { endSessions, openSession } from './session.js';
import { findQuantile, type Sample, sortNumbers } from './statistics.js';
import { type RpcMessage, type Wire } from './wire.js';

/** What every connection asks, and what it has to be answered. */
export interface Exchange {
  wire: Wire;
  message: RpcMessage;
  /** Throws unless the result is the right one. */
  assertResult(result: Record<string, unknown>): void;
}

export interface LoadPlan {
  /** How often every row of a table is measured, in turn with the others. */
  rounds: number;
  connections: number;
  warmUpMs: number;
  sliceMs: number;
}

const CHECKED_REQUESTS = 3;

/** As many sessions as "initialize" leaves open before they are ended, lest the memory they take be measured. */
const OPEN_SESSIONS = 1000;

interface Client {
  connection: Connection;
  template: RequestTemplate;
}

/**
 * Loads a server over keep-alive connections, each of which sends its next request when it has the answer to the last,
 * and reads the server's processor time before and after. The first answers are parsed and compared with what is
 * expected; from then on each must have the same status and length.
 */
export async function measureLoad(
  server: ServerProcess,
  exchange: Exchange,
  plan: LoadPlan,
): Promise<Sample> {
  const load = new Load(server, exchange);
  try {
    await load.open(plan.connections);
    await load.warmUp(plan.warmUpMs);
    const cpuBefore = await server.readCpuMicroseconds();
    const started = performance.now();
    const latencies = sortNumbers(await load.run(plan.sliceMs));
    const seconds = (performance.now() - started) / 1000;
    const cpu = (await server.readCpuMicroseconds()) - cpuBefore;
    return {
      cpuMicroseconds: cpu / latencies.length,
      perSecond: latencies.length / seconds,
      p50Milliseconds: findQuantile(latencies, 0.5),
      p99Milliseconds: findQuantile(latencies, 0.99),
      bytes: load.answerLength,
    };
  } finally {
    await load.close();
  }
}

class Load {
  answerLength = 0;
  private readonly clients: Client[] = [];
  private readonly sessionIds: string[] = [];
  private readonly opensSessions: boolean;

  constructor(
    private readonly server: ServerProcess,
    private readonly exchange: Exchange,
  ) {
    this.opensSessions = exchange.message.method === 'initialize';
  }

  async open(connections: number): Promise<void> {
    for (let count = 0; count < connections; count += 1) {
      const client = await this.createClient();
      this.clients.push(client);
      for (let request = 0; request < CHECKED_REQUESTS; request += 1) await this.check(client);
    }
  }

  async warmUp(durationMs: number): Promise<void> {
    const end = performance.now() + durationMs;
    while (performance.now() < end) {
      await this.run(end - performance.now());
      if (this.opensSessions) await this.endSessions();
    }
  }

  /** Gives the latency of every answer, in milliseconds. */
  async run(durationMs: number): Promise<number[]> {
    const latencies: number[] = [];
    const end = performance.now() + durationMs;
    await Promise.all(this.clients.map((client) => this.drive(client, end, latencies)));
    return latencies;
  }

  async close(): Promise<void> {
    await this.endSessions();
    for (const { connection } of this.clients) connection.close();
  }

  private async endSessions(): Promise<void> {
    const [first] = this.clients;
    if (first) await endSessions(first.connection, this.server, this.sessionIds.splice(0));
  }

  private async createClient(): Promise<Client> {
    const { server, exchange } = this;
    const connection = await Connection.open(server.port);
    const sessionId =
      exchange.wire === 'handshake' && !this.opensSessions
        ? await openSession(connection, server)
        : undefined;
    if (sessionId !== undefined) this.sessionIds.push(sessionId);
    const { port, token } = server;
    const destination = { port, token, wire: exchange.wire, sessionId };
    return { connection, template: new RequestTemplate(destination, exchange.message) };
  }

  private async check({ connection, template }: Client): Promise<void> {
    const answer = await connection.exchange(template.createRequest());
    this.rememberSession(answer);
    const message =
      answer.status === 200 ? (parseMessage(answer) as { result?: Record<string, unknown> }) : {};
    if (!message.result) throw new Error(`No result (${answer.status}): ${answer.body.toString()}`);
    this.exchange.assertResult(message.result);
    this.answerLength ||= answer.body.length;
    this.assertSame(answer);
  }

  private async drive({ connection, template }: Client, end: number, latencies: number[]): Promise<void> {
    let now = performance.now();
    while (now < end && !this.isFull()) {
      const sent = now;
      const answer = await connection.exchange(template.createRequest());
      now = performance.now();
      latencies.push(now - sent);
      this.assertSame(answer);
      if (this.opensSessions) this.rememberSession(answer);
    }
  }

  private assertSame({ status, body }: HttpAnswer): void {
    if (status === 200 && body.length === this.answerLength) return;
    throw new Error(
      `Expected ${this.answerLength} bytes, got ${body.length} (${status}): ${body.toString()}`,
    );
  }

  private isFull(): boolean {
    return this.opensSessions && this.sessionIds.length >= OPEN_SESSIONS;
  }

  private rememberSession({ head }: HttpAnswer): void {
    if (!this.opensSessions) return;
    const sessionId = findHeader(head, 'mcp-session-id');
    if (sessionId !== undefined) this.sessionIds.push(sessionId);
  }
}
