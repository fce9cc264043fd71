import type { Contender } from './contender.js';
import type { ServerProcess } from './server-process.js';
import { openIdleSessions } from './session.js';
import { findQuantile, type Sample, sortNumbers } from './statistics.js';
import type { Announced } from './stream-holder.js';
import { assertOpenFiles, StreamProcess } from './stream-process.js';

export interface FanOutPlan {
  /** How often every row of a table is measured, in turn with the others. */
  rounds: number;
  streams: number;
  announcements: number;
}

export interface FanOutOptions {
  server: ServerProcess;
  plan: FanOutPlan;
  /** The resource to subscribe to, if no list change is announced. */
  announcedUri?: string | undefined;
  /** Sessions that are open besides, each subscribed to the same. */
  idleSessions?: number;
}

/** So many events are sent before the first round. */
const WARM_UP_EVENTS = 10_000;
/** As many calls at most, if few streams hear each. */
const WARM_UP_CALLS = 1000;
const OPENING_CONNECTIONS = 16;

/**
 * A server with open GET streams, each of a session of its own. A slice calls the tool that announces a changed list, and
 * reads the server's processor time from before the first call until every stream has received every notification.
 */
export class FanOutContender implements Contender {
  private readonly streams: StreamProcess;

  constructor(private readonly options: FanOutOptions) {
    const { server, announcedUri } = options;
    this.streams = new StreamProcess({
      port: server.port,
      ...(announcedUri !== undefined && { announcedUri }),
    });
  }

  async warmUp(): Promise<void> {
    const { server, plan, announcedUri: uri, idleSessions = 0 } = this.options;
    assertOpenFiles(plan.streams);
    await openIdleSessions(server, { count: idleSessions, uri }, OPENING_CONNECTIONS);
    await this.streams.open(plan.streams);
    await this.streams.connect();
    await this.streams.announce(Math.min(Math.ceil(WARM_UP_EVENTS / plan.streams), WARM_UP_CALLS));
  }

  async measureSlice(): Promise<Sample> {
    const { server, plan } = this.options;
    await this.streams.connect();
    await this.streams.announce(1);
    const cpuBefore = await server.readCpuMicroseconds();
    const announced = await this.streams.announce(plan.announcements);
    const cpu = (await server.readCpuMicroseconds()) - cpuBefore;
    return { cost: cpu / announced.latencies.length, ...describeAnnounced(announced) };
  }

  async stop(): Promise<void> {
    await Promise.all([this.streams.stop(), this.options.server.stop()]);
  }
}

/** Says how fast announcements came. */
export function describeAnnounced({
  latencies,
  milliseconds,
  eventLength,
}: Announced): Required<Pick<Sample, 'perSecond' | 'p50Milliseconds' | 'p99Milliseconds' | 'bytes'>> {
  const sorted = sortNumbers(latencies);
  return {
    perSecond: sorted.length / (milliseconds / 1000),
    p50Milliseconds: findQuantile(sorted, 0.5),
    p99Milliseconds: findQuantile(sorted, 0.99),
    bytes: eventLength,
  };
}
