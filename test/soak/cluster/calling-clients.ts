import { PROTOCOL_VERSIONS } from '../../bench/wire.js';
import { sendHttp, type RawResponse } from '../../support/clients/raw-http.js';
import type { Choose } from './kept-response.js';

const CALL = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'where', arguments: {} } };

/** Clients that call all the time, each time in another session and at any process; a call whose connection breaks is made again once. */
export class CallingClients {
  /** How long calls took, those that were made again included, in milliseconds. */
  readonly latencies: number[] = [];
  readonly failures: string[] = [];
  /** Calls that were made again. */
  repeated = 0;
  #isOver = false;
  readonly #running: readonly Promise<void>[];

  constructor(
    private readonly sessionIds: readonly string[],
    private readonly choose: Choose,
    count: number,
  ) {
    this.#running = Array.from({ length: count }, () => this.#work());
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#running);
  }

  async #work(): Promise<void> {
    while (!this.#isOver) {
      const sessionId = this.sessionIds[Math.floor(Math.random() * this.sessionIds.length)] ?? '';
      const begun = performance.now();
      try {
        await this.#call(sessionId).catch(() => this.#repeat(sessionId));
      } catch (error) {
        this.failures.push(String(error));
      }
      this.latencies.push(performance.now() - begun);
    }
  }

  #repeat(sessionId: string): Promise<void> {
    this.repeated += 1;
    return this.#call(sessionId);
  }

  async #call(sessionId: string): Promise<void> {
    const { status, text } = await this.#send(sessionId);
    if (status !== 200 || !text.includes('"result"')) throw new Error(`${status} ${text.slice(0, 200)}`);
  }

  /** A process that refuses the connection is passed over, as balancers do. */
  async #send(sessionId: string): Promise<RawResponse> {
    const headers = {
      accept: 'application/json, text/event-stream',
      'mcp-session-id': sessionId,
      'mcp-protocol-version': PROTOCOL_VERSIONS.handshake,
    };
    for (;;) {
      try {
        return await sendHttp(this.choose(), { json: CALL, headers });
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ECONNREFUSED') throw error;
      }
    }
  }
}
