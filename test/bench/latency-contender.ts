import type { Contender } from './contender.js';
import { buildCallExchange } from './exchange.js';
import { PacedLoad } from './paced-load.js';
import type { ServerProcess } from './server-process.js';
import { findQuantile, type Sample, sortNumbers } from './statistics.js';
import { assertOpenFiles, StreamProcess } from './stream-process.js';

export interface LatencyPlan {
  /** How often every row of a table is measured, in turn with the others. */
  rounds: number;
  /** Streams that are open, and hear of a change every second. */
  streams: number;
  /** Connections over which the most that the server can do is found out. */
  saturating: number;
  saturationMs: number;
  /** How long calls come in each round. */
  sliceMs: number;
}

/** The share of what the server could do at most. */
const SHARE = 0.5;
/** Enough that a call seldom waits for a connection rather than for the server. */
export const CONNECTIONS = 64;
const ANNOUNCEMENT_MS = 1000;

/** A server at half of what it can do. A slice sends calls at that pace, and has the open streams hear of a change every second. */
export class LatencyContender implements Contender {
  private readonly streams: StreamProcess;
  private readonly load: PacedLoad;
  private perSecond = 0;

  constructor(
    private readonly server: ServerProcess,
    private readonly plan: LatencyPlan,
    private readonly options: { isOfPauses: boolean },
  ) {
    this.streams = new StreamProcess({ port: server.port });
    this.load = new PacedLoad(server, buildCallExchange('handshake'));
  }

  async warmUp(): Promise<void> {
    const { streams, saturating, saturationMs } = this.plan;
    assertOpenFiles(streams);
    await this.streams.open(streams);
    await this.streams.connect();
    await this.streams.announce(1);
    await this.load.connect(CONNECTIONS);
    // What is not compiled yet is slower: the second time counts.
    await this.load.saturate(saturating, saturationMs);
    this.perSecond = SHARE * (await this.load.saturate(saturating, saturationMs));
    this.load.disconnect();
  }

  async measureSlice(): Promise<Sample> {
    await this.load.connect(CONNECTIONS);
    await this.streams.connect();
    await this.server.readPause();
    const calls = timeCalls(() => this.load.run(this.perSecond, this.plan.sliceMs));
    const [{ latencies, perSecond }] = await Promise.all([calls, this.announceEverySecond()]);
    const pauseMilliseconds = await this.server.readPause();
    this.load.disconnect();
    const sorted = sortNumbers(latencies);
    const p99Milliseconds = findQuantile(sorted, 0.99);
    return {
      cost: this.options.isOfPauses ? pauseMilliseconds : p99Milliseconds,
      perSecond,
      p50Milliseconds: findQuantile(sorted, 0.5),
      p99Milliseconds,
      p999Milliseconds: findQuantile(sorted, 0.999),
      pauseMilliseconds,
    };
  }

  async stop(): Promise<void> {
    await Promise.all([this.streams.stop(), this.server.stop()]);
  }

  /** Announces for as long as calls come, and waits each time until every stream has heard. */
  private async announceEverySecond(): Promise<void> {
    const end = performance.now() + this.plan.sliceMs;
    for (let next = performance.now(); next < end; next += ANNOUNCEMENT_MS) {
      await sleepUntil(next);
      await this.streams.announce(1);
    }
  }
}

/** Tells how many answers came in a second: the last ones may come when the slice is over. */
export async function timeCalls(
  run: () => Promise<number[]>,
  now: () => number = () => performance.now(),
): Promise<{ latencies: number[]; perSecond: number }> {
  const begun = now();
  const latencies = await run();
  return { latencies, perSecond: latencies.length / ((now() - begun) / 1000) };
}

async function sleepUntil(time: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, Math.max(time - performance.now(), 0)));
}
