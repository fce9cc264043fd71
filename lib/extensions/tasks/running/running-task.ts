import { ToolError } from '../../../context/tool.error.js';
import type { CallHost, RunningCall } from '../../../dispatch/hosted-call.interface.js';
import type { ClientRequest } from '../../../protocol/client-requests.js';
import type { TaskRecord } from '../../../settings/task-store.interface.js';
import { askInput, isOver, setStatusMessage } from '../ledger/task-changes.js';
import type { TaskLedger } from '../ledger/task-ledger.js';

/** Takes what a task's handler tells besides its result. */
export type TaskTelling = (method: string, params: object) => void;

interface Waiting {
  readonly resolve: (answer: unknown) => void;
  readonly reject: (reason: Error) => void;
}

/** One task whose handler runs here: stands between the handler and what is stored of its task. */
export class RunningTask implements CallHost {
  readonly #waiting = new Map<string, Waiting>();
  #call: RunningCall | undefined;
  #message: string | undefined;
  #isTelling = false;
  #endedFor: string | undefined;

  constructor(
    private readonly taskId: string,
    private readonly ledger: TaskLedger,
    private readonly tell: TaskTelling,
  ) {}

  /** Takes the call that is to be ended with the task. */
  hold(call: RunningCall): void {
    this.#call = call;
    if (this.#endedFor !== undefined) call.cancel(this.#endedFor);
  }

  notify(method: string, params: object): void {
    this.tell(method, params);
  }

  async ask(key: string, request: ClientRequest): Promise<unknown> {
    const answer = new Promise((resolve, reject) => this.#waiting.set(key, { resolve, reject }));
    // It is given up with the task, also while the question is being stored.
    answer.catch(() => undefined);
    const asked = await this.ledger.change(this.taskId, askInput(key, request));
    if (asked === undefined || isOver(asked))
      throw new ToolError('The task is over: the client cannot be asked');
    return answer;
  }

  /** Takes what became of the task, here or elsewhere. */
  observe(record: TaskRecord): void {
    if (isOver(record)) return this.end(`The task is ${record.status}`);
    for (const [key, { resolve }] of this.#waiting) {
      if (!Object.hasOwn(record.inputResponses, key)) continue;
      this.#waiting.delete(key);
      resolve(record.inputResponses[key]);
    }
  }

  /** Aborts the handler; nobody waits for it. */
  end(reason: string): void {
    this.#endedFor = reason;
    this.#call?.cancel(reason);
    for (const { reject } of this.#waiting.values()) reject(new ToolError(reason));
    this.#waiting.clear();
  }

  /** Tells the client what is being done; of what is told faster than it is stored, the last counts. */
  setStatusMessage(message: string): void {
    this.#message = message;
    if (this.#isTelling) return;
    this.#isTelling = true;
    void this.#tellMessages();
  }

  async #tellMessages(): Promise<void> {
    try {
      while (this.#message !== undefined) {
        const message = this.#message;
        this.#message = undefined;
        await this.ledger.change(this.taskId, setStatusMessage(message));
      }
    } catch {
      // A message that is not stored is not worth the task: what the task comes to is.
    } finally {
      this.#isTelling = false;
    }
  }
}
