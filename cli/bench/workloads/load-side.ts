import type { GivenHeaders } from '../../server/parse-header.js';
import { readResult } from '../wire/read-result.js';
import type { LoadConnection } from '../wire/load-connection.js';
import { LoadConnections } from '../wire/load-connections.js';
import type { LoadTarget } from '../wire/load-target.js';
import type { BenchWire, McpRequest } from '../wire/mcp-request.js';
import type { RawResponse } from '../wire/raw-response.js';
import { RequestBytes } from '../wire/request-bytes.js';
import { timeSlice, type Contender, type Slice } from './measure-pairs.js';
import type { WorkloadTime } from './workload-time.js';

/** A server, and the request that it receives repeatedly. */
export interface LoadSetup {
  readonly target: LoadTarget;
  readonly wire: BenchWire;
  readonly request: McpRequest;
  readonly connections: number;
  readonly time: WorkloadTime;
  /** Opens a session for a new client, and returns its headers. @default requests have no session */
  readonly openSession?: ((connection: LoadConnection) => Promise<GivenHeaders>) | undefined;
  /** Tracks the sessions that responses open, to end them later. */
  readonly opened?: OpenedByAnswers | undefined;
}

/** The sessions that responses have opened. */
export interface OpenedByAnswers {
  note(answer: RawResponse): void;
  /** Whether the maximum number of sessions is open. */
  readonly isFull: boolean;
  /** Ends the sessions between two slices. */
  close(connections: readonly LoadConnection[]): Promise<void>;
}

interface Client {
  readonly connection: LoadConnection;
  readonly request: RequestBytes;
}

/** A server under load. Each connection sends its next request when it has received the response to the last one. */
export class LoadSide implements Contender {
  readonly #connections: LoadConnections;
  readonly #clients: Client[] = [];
  /** The usual status and length of a response. */
  #usual: { readonly status: number; readonly length: number } | undefined;

  constructor(private readonly setup: LoadSetup) {
    this.#connections = new LoadConnections(setup.target);
    setup.time.cut.addEventListener('abort', () => this.close(setup.time.cut.reason as Error));
  }

  /** Sends one request, and returns the response with its id. */
  async record(): Promise<{ readonly answer: RawResponse; readonly id: number }> {
    await this.#connect(1);
    const [client] = this.#clients;
    if (client === undefined) throw new Error('No client was opened');
    const { bytes, id } = client.request.next();
    const answer = await client.connection.exchange(bytes);
    this.setup.opened?.note(answer);
    readResult(answer);
    return { answer, id };
  }

  async slice(durationMs: number): Promise<Slice> {
    await this.#connect(this.setup.connections);
    const end = performance.now() + durationMs;
    const slice = await timeSlice(async () => {
      const latencies: number[] = [];
      await Promise.all(this.#clients.map((client) => this.#drive(client, end, latencies)));
      return latencies;
    });
    await this.setup.opened?.close(this.#clients.map(({ connection }) => connection));
    return slice;
  }

  /** Closes all connections. */
  close(reason?: Error): void {
    this.#connections.close(reason);
  }

  async #drive(client: Client, end: number, latencies: number[]): Promise<void> {
    const { opened } = this.setup;
    let now = performance.now();
    do {
      const sent = performance.now();
      const answer = await client.connection.exchange(client.request.next().bytes);
      now = performance.now();
      latencies.push(now - sent);
      opened?.note(answer);
      this.#check(answer);
    } while (now < end && !this.#hasEnough());
  }

  #hasEnough(): boolean {
    const { time, opened } = this.setup;
    return time.isInterrupted || opened?.isFull === true;
  }

  /** Parses only responses that differ from the previous one, because parsing all of them would slow the load down. */
  #check(answer: RawResponse): void {
    const { status, body } = answer;
    if (status === this.#usual?.status && body.length === this.#usual.length) return;
    readResult(answer);
    this.#usual = { status, length: body.length };
  }

  async #connect(count: number): Promise<void> {
    this.setup.time.cut.throwIfAborted();
    const missing = Math.max(count - this.#clients.length, 0);
    await Promise.all(Array.from({ length: missing }, () => this.#addClient()));
  }

  async #addClient(): Promise<void> {
    const { target, wire, request, openSession } = this.setup;
    const connection = await this.#connections.open();
    const session = await openSession?.(connection);
    this.#clients.push({ connection, request: new RequestBytes(target, request, { wire, session }) });
  }
}
