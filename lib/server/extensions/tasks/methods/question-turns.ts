import { filter } from 'rxjs';
import { Lease } from '../../../cluster/lease.js';
import type { ClusterBus } from '../../../cluster/cluster-bus.js';
import type { TaskLedger } from '../ledger/task-ledger.js';

/** The task and the question. */
export interface QuestionName {
  readonly taskId: string;
  readonly key: string;
}

/** Has one process of the server at a time ask a question: clients that wait in several would be asked it several times. */
export class QuestionTurns {
  constructor(
    private readonly bus: ClusterBus,
    private readonly ledger: TaskLedger,
  ) {}

  /** Whether other processes may ask too. */
  get isShared(): boolean {
    return this.bus.isShared;
  }

  /**
   * Waits for the turn to ask, which comes at once if no other process can be asked.
   *
   * @param signal is aborted when nobody is left here who could be asked
   * @returns a function that ends the turn, or `undefined` if the question is settled by then, or nobody is left
   */
  async take({ taskId, key }: QuestionName, signal: AbortSignal): Promise<(() => void) | undefined> {
    const { bus } = this;
    if (bus.shared === undefined || !bus.isConnected) return () => undefined;
    let settle: (isOurs: boolean) => void = () => undefined;
    const decided = new Promise<boolean>((resolve) => (settle = resolve));
    const lease = new Lease(bus, `question:${taskId}:${key}`, (isHeld) => isHeld && settle(true));
    const leave = (): void => settle(false);
    const settled = this.ledger.changes$
      .pipe(filter((task) => task.taskId === taskId && !Object.hasOwn(task.inputRequests, key)))
      .subscribe(leave);
    signal.addEventListener('abort', leave, { once: true });
    if (signal.aborted) leave();
    lease.start();
    const isOurs = await decided;
    settled.unsubscribe();
    signal.removeEventListener('abort', leave);
    const end = (): void => void lease.stop();
    if (isOurs) return end;
    end();
    return undefined;
  }
}
