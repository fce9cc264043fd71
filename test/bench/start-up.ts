import type { Contender } from './contender.js';
import { assertAnswer, type Exchange } from './exchange.js';
import type { ServerProcess } from './server-process.js';
import { connect } from './session.js';
import type { Sample } from './statistics.js';
import { createRequest } from './wire.js';

export interface StartUpPlan {
  /** How often every row of a table is started, in turn with the others. */
  rounds: number;
}

/** A server that is started afresh in each slice, and measured until its first answer has arrived. */
export class StartUpContender implements Contender {
  constructor(
    private readonly start: () => Promise<ServerProcess>,
    private readonly exchange: Exchange,
    /** What is read of it once the answer has arrived. */
    private readonly measured: 'time' | 'memory',
  ) {}

  /** Has the files read once that every start reads. */
  async warmUp(): Promise<void> {
    await this.measureSlice();
  }

  async measureSlice(): Promise<Sample> {
    const { wire, message } = this.exchange;
    const begun = performance.now();
    const server = await this.start();
    try {
      const connection = await connect({ port: server.port });
      const request = createRequest({ port: server.port, wire }, message);
      const answer = await connection.exchange(request.next().bytes);
      const milliseconds = performance.now() - begun;
      connection.destroy();
      assertAnswer(answer, this.exchange);
      const isTime = this.measured === 'time';
      const cost = isTime ? milliseconds : (await server.readMemory()).heapBytes;
      return { cost, bytes: answer.body.length };
    } finally {
      await server.stop();
    }
  }

  async stop(): Promise<void> {}
}
