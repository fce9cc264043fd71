import type { TaskQueue } from 'nestjs-mcp';

type Run = (taskId: string) => Promise<void>;

/** A queue that several processes work at, of which the last that began takes everything. */
export class SharedQueue {
  #run: Run | undefined;

  open(): TaskQueue {
    return {
      isDurable: true,
      start: (run) => void (this.#run = run),
      add: (taskId) => void this.#run?.(taskId),
      stop: () => undefined,
    };
  }
}
