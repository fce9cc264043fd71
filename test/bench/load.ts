import type { LoadConnection } from '../../cli/bench/wire/load-connection.js';
import type { LoadSessions } from '../../cli/bench/wire/load-sessions.js';
import type { RawResponse } from '../../cli/bench/wire/raw-response.js';
import type { RequestBytes } from '../../cli/bench/wire/request-bytes.js';
import type { Contender } from './contender.js';
import { assertAnswer, type Exchange } from './exchange.js';
import type { ServerProcess } from './server-process.js';
import { connect, openIdleSessions, trackSessions } from './session.js';
import { stayAwake } from './stay-awake.js';
import { findQuantile, type Sample, sortNumbers } from './statistics.js';
import { createRequest, type Headers } from './wire.js';

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
  connection: LoadConnection;
  request: RequestBytes;
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
  private readonly sessions: (Headers | undefined)[] = [];
  /** Sessions that "initialize" has opened. */
  private readonly opened: LoadSessions;
  private readonly opensSessions: boolean;

  constructor(private readonly options: LoadOptions) {
    this.opened = trackSessions(options.server);
    this.opensSessions = options.exchange.message.method === 'initialize';
  }

  async warmUp(): Promise<void> {
    const { server, plan, firstWarmUpMs, idleSessions } = this.options;
    await openIdleSessions(server, { count: idleSessions }, plan.connections);
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
    const connection = await connect(server);
    const session = (this.sessions[index] ??= await this.openOwnSession(connection));
    const request = createRequest({ port, token, wire: exchange.wire, session }, exchange.message);
    const client = { connection, request };
    this.clients.push(client);
    await this.check(client);
  }

  private async disconnect(): Promise<void> {
    await this.endOpened();
    for (const { connection } of this.clients.splice(0)) connection.destroy();
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

  private async drive({ connection, request }: Client, end: number, latencies: number[]): Promise<void> {
    let now = performance.now();
    while (now < end && this.opened.size < OPEN_SESSIONS) {
      const sent = now;
      const answer = await connection.exchange(request.next().bytes);
      now = performance.now();
      latencies.push(now - sent);
      this.assertSame(answer);
      if (this.opensSessions) this.opened.note(answer);
    }
  }

  private async check({ connection, request }: Client): Promise<void> {
    const answer = await connection.exchange(request.next().bytes);
    if (this.opensSessions) this.opened.note(answer);
    assertAnswer(answer, this.options.exchange);
    this.answerLength ||= answer.body.length;
    this.assertSame(answer);
  }

  private assertSame({ status, body }: RawResponse): void {
    if (status === 200 && body.length === this.answerLength) return;
    throw new Error(
      `Expected ${this.answerLength} bytes, got ${body.length} (${status}): ${body.toString()}`,
    );
  }

  private async openOwnSession(connection: LoadConnection): Promise<Headers | undefined> {
    const { server, exchange } = this.options;
    if (exchange.wire !== 'handshake' || this.opensSessions) return undefined;
    return trackSessions(server).open(connection);
  }

  private async endOpened(): Promise<void> {
    await this.opened.endAll(this.clients.map(({ connection }) => connection));
  }
}
