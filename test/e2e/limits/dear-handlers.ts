import { Injectable } from '@nestjs/common';
import { Concurrency, Prompt, Resource, Tool, type McpContext } from 'nestjs-mcp';
import { z } from 'zod';
import { Gates } from '../../support/applications/gate.js';

export const GATE = z.object({ gate: z.string() });
const GPU = { max: 1 };

/** One call runs, and one waits for it, so many milliseconds at most. */
const WaitAtMost = (timeoutMs: number) => Concurrency({ max: 1, queue: { length: 1, timeoutMs } });

/** Handlers that wait at the gate which their caller names, and that may not all do so at once. */
@Injectable()
export class DearHandlers {
  readonly gates = new Gates();
  /** The gates that were reached, in their order. */
  readonly reached: string[] = [];

  @Tool({ inputSchema: GATE })
  @Concurrency({ max: 1 })
  alone(args: z.infer<typeof GATE>) {
    return this.#wait(args);
  }

  @Tool({ inputSchema: GATE })
  @Concurrency({ max: 1, queue: 10 })
  queued(args: z.infer<typeof GATE>, { signal }: McpContext) {
    return this.#wait(args, signal);
  }

  @Tool({ inputSchema: GATE })
  @WaitAtMost(50)
  impatient(args: z.infer<typeof GATE>) {
    return this.#wait(args);
  }

  /** Waits long enough for the stream of its answer to begin first, also on a busy machine. */
  @Tool({ inputSchema: GATE })
  @WaitAtMost(1_000)
  patient(args: z.infer<typeof GATE>) {
    return this.#wait(args);
  }

  @Tool({ inputSchema: GATE })
  @Concurrency({ maxPerCaller: 1 })
  own(args: z.infer<typeof GATE>) {
    return this.#wait(args);
  }

  @Tool({ inputSchema: GATE })
  @Concurrency(GPU)
  render(args: z.infer<typeof GATE>) {
    return this.#wait(args);
  }

  @Tool({ inputSchema: GATE })
  @Concurrency(GPU)
  train(args: z.infer<typeof GATE>) {
    return this.#wait(args);
  }

  @Tool({ inputSchema: GATE, task: 'required' })
  @Concurrency({ max: 1, queue: 1 })
  task(args: z.infer<typeof GATE>) {
    return this.#wait(args);
  }

  @Tool()
  @Concurrency({ max: 1 })
  async asking(_args: object, context: McpContext) {
    const { action } = await context.elicit({ message: 'Sure?', schema: z.object({}) });
    return action;
  }

  @Prompt({ arguments: GATE })
  @Concurrency({ max: 1 })
  prompt(args: z.infer<typeof GATE>) {
    return this.#wait(args);
  }

  @Resource({ uri: 'desk://dear' })
  @Concurrency({ max: 1 })
  resource() {
    return this.#wait({ gate: 'resource' });
  }

  async #wait({ gate }: z.infer<typeof GATE>, signal?: AbortSignal) {
    this.reached.push(gate);
    await this.gates.at(gate).pass(signal);
    return gate;
  }
}

/** Handlers that share the places of their class, except one. */
@Injectable()
@Concurrency({ max: 1 })
export class DearClass {
  readonly gates = new Gates();

  @Tool({ inputSchema: GATE })
  one({ gate }: z.infer<typeof GATE>) {
    return this.gates.at(gate).pass();
  }

  @Tool({ inputSchema: GATE })
  other({ gate }: z.infer<typeof GATE>) {
    return this.gates.at(gate).pass();
  }

  @Tool({ inputSchema: GATE })
  @Concurrency({ max: 5 })
  apart({ gate }: z.infer<typeof GATE>) {
    return this.gates.at(gate).pass();
  }
}
