import type { Contender } from './contender.js';
import { describeAnnounced, type FanOutPlan } from './fan-out.js';
import type { ServerProcess } from './server-process.js';
import type { Sample } from './statistics.js';
import { StreamProcess } from './stream-process.js';

export interface DeliveryOptions {
  /** The process that announces, and the one that has the streams; they may be the same. */
  announcing: ServerProcess;
  listening: ServerProcess;
  plan: FanOutPlan;
  announcedUri: string;
}

const WARM_UP_CALLS = 1000;

/**
 * Streams that hear what another process announces. A slice calls the tool that announces, again as soon as everybody has heard of it, and times from
 * the call to the notification.
 */
export class DeliveryContender implements Contender {
  private readonly streams: StreamProcess;

  constructor(private readonly options: DeliveryOptions) {
    const { announcing, listening, announcedUri } = options;
    this.streams = new StreamProcess({ port: listening.port, announcingPort: announcing.port, announcedUri });
  }

  async warmUp(): Promise<void> {
    await this.streams.open(this.options.plan.streams);
    await this.streams.connect();
    await this.streams.announce(WARM_UP_CALLS);
  }

  async measureSlice(): Promise<Sample> {
    await this.streams.connect();
    await this.streams.announce(1);
    const described = describeAnnounced(await this.streams.announce(this.options.plan.announcements));
    return { cost: described.p50Milliseconds, ...described };
  }

  async stop(): Promise<void> {
    const { announcing, listening } = this.options;
    await Promise.all([this.streams.stop(), announcing.stop(), listening.stop()]);
  }
}
