import { type Contender } from './contender.js';
import { type ServerProcess } from './server-process.js';
import { findQuantile, type Sample, sortNumbers } from './statistics.js';
import { assertOpenFiles, StreamProcess } from './stream-process.js';

export interface FanOutPlan {
  /** How often every row of a table is measured, in turn with the others. */
  rounds: number;
  streams: number;
  announcements: number;
}

/** So many events are sent before the first round. */
const WARM_UP_EVENTS = 10_000;

/**
 * A server with open GET streams, each of a session of its own. A slice calls the tool that announces a changed list, and
 * reads the server's processor time from before the first call until every stream has received every notification.
 */
export class FanOutContender implements Contender {
  private readonly streams: StreamProcess;

  constructor(
    private readonly server: ServerProcess,
    private readonly plan: FanOutPlan,
    announcedUri?: string,
  ) {
    this.streams = new StreamProcess(server.port, announcedUri);
  }

  async warmUp(): Promise<void> {
    const { streams } = this.plan;
    assertOpenFiles(streams);
    await this.streams.open(streams);
    await this.streams.connect();
    await this.streams.announce(Math.ceil(WARM_UP_EVENTS / streams));
  }

  async measureSlice(): Promise<Sample> {
    const { announcements } = this.plan;
    await this.streams.connect();
    await this.streams.announce(1);
    const cpuBefore = await this.server.readCpuMicroseconds();
    const { latencies, milliseconds, eventLength } = await this.streams.announce(announcements);
    const cpu = (await this.server.readCpuMicroseconds()) - cpuBefore;
    const sorted = sortNumbers(latencies);
    return {
      cost: cpu / sorted.length,
      perSecond: sorted.length / (milliseconds / 1000),
      p50Milliseconds: findQuantile(sorted, 0.5),
      p99Milliseconds: findQuantile(sorted, 0.99),
      bytes: eventLength,
    };
  }

  async stop(): Promise<void> {
    await Promise.all([this.streams.stop(), this.server.stop()]);
  }
}
