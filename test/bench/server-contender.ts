import { type Contender, type Plan } from './contender.js';
import { measureFanOut } from './fan-out.js';
import { type Exchange, measureLoad } from './load.js';
import { ServerProcess } from './server-process.js';
import { type Sample } from './statistics.js';
import { type Subject } from './subjects.js';
import { type Wire } from './wire.js';

/** How a server is started, and what it is asked. */
export interface Assignment {
  subject: Subject;
  wire: Wire;
  /** How many tools to register. */
  tools: number;
  /** Whether every request brings a JWT. */
  isProtected?: boolean;
  /** What every connection asks, or `undefined` for the fan-out of a notification. */
  exchange?: Exchange;
}

/** A server in a process of its own, and the load on it. */
export class ServerContender implements Contender {
  private constructor(
    private readonly server: ServerProcess,
    private readonly exchange: Exchange | undefined,
    private readonly plan: Plan,
  ) {}

  static async start(
    { subject, wire, tools, isProtected = false, exchange }: Assignment,
    plan: Plan,
  ): Promise<ServerContender> {
    const { program, variant } = subject;
    const server = await ServerProcess.start(program, {
      wire,
      tools,
      announces: exchange === undefined,
      isProtected,
      ...(variant === undefined ? {} : { variant }),
    });
    return new ServerContender(server, exchange, plan);
  }

  async warmUp(): Promise<void> {
    const { load, firstWarmUpMs } = this.plan;
    await this.measure({ ...this.plan, load: { ...load, warmUpMs: firstWarmUpMs, sliceMs: 0 } });
  }

  measureSlice(): Promise<Sample> {
    return this.measure(this.plan);
  }

  stop(): Promise<void> {
    return this.server.stop();
  }

  private measure({ load, fanOut }: Plan): Promise<Sample> {
    if (!this.exchange) return measureFanOut(this.server, fanOut);
    return measureLoad(this.server, this.exchange, load);
  }
}
