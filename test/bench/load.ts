import { Connection } from './connection.js';
import type { Contender } from './contender.js';
import { assertAnswer, type Exchange } from './exchange.js';
import { findHeader, type HttpAnswer } from './http-answer.js';
import { RequestTemplate } from './request-template.js';
import type { ServerProcess } from './server-process.js';
import { endSessions, openIdleSessions, openSession } from './session.js';
import { stayAwake } from './stay-awake.js';
import { findQuantile, type Sample, sortNumbers } from './statistics.js';

export interface LoadPlan {
  /** How often every row of a table is measured, in turn with the others. */
  rounds: number;
  connections: number;
  warmUpMs: number;
  sliceMs: number;
}

export interface LoadOptions {
  server: ServerProcess;
  exchange: Exchange;
  plan: LoadPlan;
  firstWarmUpMs: number;
  /** Sessions that are open besides, and never used. */
  idleSessions: number;
}

/** As many sessions as "initialize" leaves open before they are ended, lest the memory they take be measured. */
const OPEN_SESSIONS = 1000;

interface Client {
  connection: Connection;
  template: RequestTemplate;
}

/**
 * A server under load over keep-alive connections, each of which sends its next request when it has the answer to the
 * last. A slice reads the server's processor time before and after. The first answer on each connection is parsed and
 * compared with what is expected; from then on each must have the same status and length.
 */
export class LoadContender implements Contender {
  private answerLength = 0;
  private clients: Client[] = [];
  /** The sessions of the connections, which outlast them: servers close connections that are idle between slices. */
  private sessions: { id: string | undefined }[] = [];
  /** Sessions that "initialize" has opened. */
  private readonly opened: string[] = [];
  private readonly opensSessions: boolean;

  constructor(private readonly options: LoadOptions) {
    this.opensSessions = options.exchange.message.method === 'initialize';
  }

  async warmUp(): Promise<void> {
    const { server, plan, firstWarmUpMs, idleSessions } = this.options;
    const share = Math.ceil(idleSessions / plan.connections);
    await Promise.all(
      Array.from({ length: plan.connections }, async () => {
        const connection = await Connection.open(server.port);
        await openIdleSessions(connection, server, { count: share });
        connection.close();
      }),
    );
    // As in slices: after a warm-up over lasting connections, the first three slices cost up to twice as much.
    const turnMs = plan.warmUpMs + plan.sliceMs;
    for (let turn = 0; turn < firstWarmUpMs / turnMs; turn += 1) {
      await this.connect();
      await this.runFor(turnMs);
      await this.disconnect();
    }
  }

  async measureSlice(): Promise<Sample> {
    const { server, plan } = this.options;
    try {
      await this.connect();
      await this.runFor(plan.warmUpMs);
      const cpuBefore = await server.readCpuMicroseconds();
      const started = performance.now();
      const latencies = sortNumbers(await this.run(plan.sliceMs));
      const seconds = (performance.now() - started) / 1000;
      const cpu = (await server.readCpuMicroseconds()) - cpuBefore;
      return {
        cost: cpu / latencies.length,
        perSecond: latencies.length / seconds,
        p50Milliseconds: findQuantile(latencies, 0.5),
        p99Milliseconds: findQuantile(latencies, 0.99),
        bytes: this.answerLength,
      };
    } finally {
      await this.disconnect();
    }
  }

  stop(): Promise<void> {
    return this.options.server.stop();
  }

  /** Connects at once: some servers take a second for each session. */
  private async connect(): Promise<void> {
    const { connections } = this.options.plan;
    await Promise.all(Array.from({ length: connections }, (_, index) => this.connectClient(index)));
  }

  private async connectClient(index: number): Promise<void> {
    const { server, exchange } = this.options;
    const { port, token } = server;
    const connection = await Connection.open(port);
    const session = (this.sessions[index] ??= { id: await this.openOwnSession(connection) });
    const destination = { port, token, wire: exchange.wire, sessionId: session.id };
    const client = { connection, template: new RequestTemplate(destination, exchange.message) };
    this.clients.push(client);
    await this.check(client);
  }

  private async disconnect(): Promise<void> {
    await this.endOpened();
    for (const { connection } of this.clients.splice(0)) connection.close();
  }

  private async runFor(durationMs: number): Promise<void> {
    const end = performance.now() + durationMs;
    while (performance.now() < end) {
      await this.run(end - performance.now());
      await this.endOpened();
    }
  }

  /** Gives the latency of every answer, in milliseconds. */
  private async run(durationMs: number): Promise<number[]> {
    const latencies: number[] = [];
    const end = performance.now() + durationMs;
    await stayAwake(() => Promise.all(this.clients.map((client) => this.drive(client, end, latencies))));
    return latencies;
  }

  private async drive({ connection, template }: Client, end: number, latencies: number[]): Promise<void> {
    let now = performance.now();
    while (now < end && this.opened.length < OPEN_SESSIONS) {
      const sent = now;
      const answer = await connection.exchange(template.createRequest());
      now = performance.now();
      latencies.push(now - sent);
      this.assertSame(answer);
      if (this.opensSessions) this.rememberSession(answer);
    }
  }

  private async check({ connection, template }: Client): Promise<void> {
    const answer = await connection.exchange(template.createRequest());
    if (this.opensSessions) this.rememberSession(answer);
    assertAnswer(answer, this.options.exchange);
    this.answerLength ||= answer.body.length;
    this.assertSame(answer);
  }

  private assertSame({ status, body }: HttpAnswer): void {
    if (status === 200 && body.length === this.answerLength) return;
    throw new Error(
      `Expected ${this.answerLength} bytes, got ${body.length} (${status}): ${body.toString()}`,
    );
  }

  private async openOwnSession(connection: Connection): Promise<string | undefined> {
    const { server, exchange } = this.options;
    if (exchange.wire !== 'handshake' || this.opensSessions) return undefined;
    return openSession(connection, server);
  }

  private async endOpened(): Promise<void> {
    const sessionIds = this.opened.splice(0);
    const { clients, options } = this;
    const share = Math.ceil(sessionIds.length / Math.max(clients.length, 1));
    await Promise.all(
      clients.map(({ connection }, index) =>
        endSessions(connection, options.server, sessionIds.slice(index * share, (index + 1) * share)),
      ),
    );
  }

  private rememberSession({ head }: HttpAnswer): void {
    const sessionId = findHeader(head, 'mcp-session-id');
    if (sessionId !== undefined) this.opened.push(sessionId);
  }
}
