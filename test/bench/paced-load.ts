import type { LoadConnection } from '../../cli/bench/wire/load-connection.js';
import type { RequestBytes } from '../../cli/bench/wire/request-bytes.js';
import { assertAnswer, type Exchange } from './exchange.js';
import { connect, trackSessions } from './session.js';
import { stayAwake } from './stay-awake.js';
import { createRequest, type Headers, type Server } from './wire.js';

interface Client {
  connection: LoadConnection;
  request: RequestBytes;
}

/**
 * Calls that come at a pace of their own, however long answers take, as those of many independent users do. The latency of a
 * call counts from when it was due: what waits because the server stands still counts with all of its waiting.
 */
export class PacedLoad {
  private readonly clients: Client[] = [];
  /** The sessions of the connections, which outlast them. */
  private readonly sessions: Headers[] = [];

  constructor(
    private readonly server: Server,
    private readonly exchange: Exchange,
  ) {}

  /** Opens connections, each with a session of its own. */
  async connect(count: number): Promise<void> {
    await Promise.all(Array.from({ length: count }, (_, index) => this.connectClient(index)));
  }

  /** Sends on each of some connections as soon as it has the last answer, and gives the answers per second. */
  async saturate(connections: number, durationMs: number): Promise<number> {
    let answers = 0;
    const begun = performance.now();
    await stayAwake(() =>
      Promise.all(
        this.clients.slice(0, connections).map(async (client) => {
          while (performance.now() < begun + durationMs) {
            await this.call(client);
            answers += 1;
          }
        }),
      ),
    );
    return answers / ((performance.now() - begun) / 1000);
  }

  /** Sends so many calls a second, and gives the milliseconds from when each was due to its answer. */
  async run(perSecond: number, durationMs: number): Promise<number[]> {
    const latencies: number[] = [];
    const due: number[] = [];
    const free = [...this.clients];
    const calls = new Set<Promise<void>>();
    const begun = performance.now();
    const end = begun + durationMs;
    let sent = 0;
    const failures: unknown[] = [];
    const serve = async (client: Client): Promise<void> => {
      for (let since = due.shift(); since !== undefined; since = due.shift()) {
        await this.call(client);
        latencies.push(performance.now() - since);
      }
      free.push(client);
    };
    const start = (client: Client): void => {
      const call: Promise<void> = serve(client)
        .catch((error: unknown) => void failures.push(error))
        .finally(() => calls.delete(call));
      calls.add(call);
    };
    await stayAwake(async () => {
      for (let now = begun; now < end && failures.length === 0; now = performance.now()) {
        const wanted = Math.floor(((now - begun) / 1000) * perSecond);
        for (; sent < wanted; sent += 1) due.push(begun + ((sent + 1) / perSecond) * 1000);
        while (due.length > 0 && free.length > 0) start(free.pop() as Client);
        await nextTurn();
      }
      await Promise.all(calls);
    });
    if (failures.length > 0) throw failures[0] as Error;
    return latencies;
  }

  disconnect(): void {
    for (const { connection } of this.clients.splice(0)) connection.destroy();
  }

  private async connectClient(index: number): Promise<void> {
    const { server, exchange } = this;
    const { port, token } = server;
    const connection = await connect(server);
    const session = (this.sessions[index] ??= await trackSessions(server).open(connection));
    const request = createRequest({ port, token, wire: exchange.wire, session }, exchange.message);
    this.clients.push({ connection, request });
    assertAnswer(await connection.exchange(request.next().bytes), exchange);
  }

  private async call({ connection, request }: Client): Promise<void> {
    const { status, body } = await connection.exchange(request.next().bytes);
    if (status !== 200) throw new Error(`A call was answered ${status}: ${body.toString()}`);
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
