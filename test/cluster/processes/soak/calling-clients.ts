import { PROTOCOL_VERSIONS } from '../../../bench/wire.js';
import { sendHttp, type RawResponse } from '../../../support/clients/raw-http.js';
import type { Choose } from './kept-response.js';

const CALL = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'where', arguments: {} } };

/** Clients that call all the time, each time in another session and at any process; a call whose connection breaks is made again once, at another process. */
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
      const url = this.choose();
      try {
        await this.#call(url, sessionId).catch(() => this.#repeat(url, sessionId));
      } catch (error) {
        this.failures.push(String(error));
      }
      this.latencies.push(performance.now() - begun);
    }
  }

  /** The system may still take a connection for a process that was just killed, and reset it: not twice for one call, so that what fails here is a process that lives. */
  #repeat(brokenAt: string, sessionId: string): Promise<void> {
    this.repeated += 1;
    return this.#call(this.#chooseOther(brokenAt), sessionId);
  }

  /** There is always another one: clients choose among two processes or more, whether those live or not. */
  #chooseOther(url: string): string {
    for (;;) {
      const other = this.choose();
      if (other !== url) return other;
    }
  }

  async #call(url: string, sessionId: string): Promise<void> {
    const { status, text } = await this.#send(url, sessionId);
    if (status !== 200 || !text.includes('"result"')) throw new Error(`${status} ${text.slice(0, 200)}`);
  }

  /** A process that refuses the connection is passed over, as balancers do. */
  async #send(url: string, sessionId: string): Promise<RawResponse> {
    const headers = {
      accept: 'application/json, text/event-stream',
      'mcp-session-id': sessionId,
      'mcp-protocol-version': PROTOCOL_VERSIONS.handshake,
    };
    for (let at = url; ; at = this.#chooseOther(at)) {
      try {
        return await sendHttp(at, { json: CALL, headers });
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ECONNREFUSED') throw error;
      }
    }
  }
}
