import type { Contender } from './contender.js';
import type { ServerProcess } from './server-process.js';
import type { HeldMemory } from './servers/serve.js';
import type { Sample } from './statistics.js';
import { assertOpenFiles, StreamProcess } from './stream-process.js';

export interface MemoryPlan {
  /** How often every row of a table is measured, in turn with the others. */
  rounds: number;
  /** Streams that are opened in each round, and stay open. */
  streams: number;
}

/**
 * A server on which GET streams are opened, each of a session of its own, a few more in each slice. A slice is what the
 * server holds afterwards and did not after the last one, once nothing is left to collect.
 */
export class MemoryContender implements Contender {
  private readonly streams: StreamProcess;
  private held: HeldMemory | undefined;

  constructor(
    private readonly server: ServerProcess,
    private readonly plan: MemoryPlan,
  ) {
    this.streams = new StreamProcess({ port: server.port });
  }

  async warmUp(): Promise<void> {
    const { rounds, streams } = this.plan;
    assertOpenFiles((rounds + 2) * streams);
    await this.measureSlice();
    await this.measureSlice();
  }

  async measureSlice(): Promise<Sample> {
    const { streams } = this.plan;
    const before = this.held ?? (await this.server.readMemory());
    await this.streams.open(streams);
    const after = await this.server.readMemory();
    this.held = after;
    return {
      cost: (after.heapBytes - before.heapBytes) / streams,
      residentBytes: (after.residentBytes - before.residentBytes) / streams,
    };
  }

  async stop(): Promise<void> {
    await Promise.all([this.streams.stop(), this.server.stop()]);
  }
}
