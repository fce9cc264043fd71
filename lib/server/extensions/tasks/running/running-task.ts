import type { ClientRequest } from '../../../../core/protocol/client-requests.js';
import { ToolError } from '../../../context/tool-errors.js';
import type { RunningCall } from '../../../dispatch/extension.interface.js';
import type { TaskRecord } from '../../../settings/extensions/task-store.interface.js';
import { askInput, isOver, noteScopes, setStatusMessage, type TaskChange } from '../ledger/task-changes.js';
import type { TaskLedger } from '../ledger/task-ledger.js';

interface Waiting {
  readonly resolve: (answer: unknown) => void;
  readonly reject: (reason: Error) => void;
  /** Whether the question has been seen among those of the task. */
  isAsked: boolean;
}

/** A task whose handler runs here. It connects the handler with the stored task. */
export class RunningTask {
  readonly #waiting = new Map<string, Waiting>();
  #call: RunningCall | undefined;
  #message: string | undefined;
  #isTelling = false;
  #endedFor: string | undefined;
  /** Of what was observed last. */
  #version = 0;

  constructor(
    private readonly taskId: string,
    private readonly ledger: TaskLedger,
  ) {}

  /** Takes the call that is to be ended with the task. */
  hold(call: RunningCall): void {
    this.#call = call;
    if (this.#endedFor !== undefined) call.cancel(this.#endedFor);
  }

  /** Whether its call has begun. */
  get hasBegun(): boolean {
    return this.#call !== undefined;
  }

  /** Every scope that the call has required of its caller until now. */
  get requiredScopes(): readonly string[] {
    return this.#call?.requiredScopes ?? [];
  }

  /** Makes a change note the scopes that the call has required so far. A reader of the change must have them. */
  noteScopes(change: TaskChange): TaskChange {
    return noteScopes(change, () => this.requiredScopes);
  }

  /** Returns the task with what its call has required until now. */
  describe(record: TaskRecord): TaskRecord {
    return this.noteScopes((known) => known)(record) ?? record;
  }

  /** Gets the client's answer, which may have been given before the call was run again. */
  async ask(key: string, request: ClientRequest): Promise<unknown> {
    const answer = new Promise((resolve, reject) => {
      this.#waiting.set(key, { resolve, reject, isAsked: false });
    });
    // It is given up with the task, also while the question is being stored.
    answer.catch(() => undefined);
    const asked = await this.ledger.change(this.taskId, this.noteScopes(askInput(key, request)));
    if (asked === undefined || isOver(asked)) {
      throw new ToolError('The task is over: the client cannot be asked');
    }
    this.observe(asked);
    return answer;
  }

  /** Takes what became of the task, here or elsewhere. */
  observe(record: TaskRecord): void {
    if (record.version < this.#version) return;
    this.#version = record.version;
    if (isOver(record)) return this.end(`The task is ${record.status}`);
    for (const [key, waiting] of this.#waiting) this.#observeQuestion(record, key, waiting);
  }

  /** Aborts the handler; nobody waits for it. */
  end(reason: string): void {
    this.#endedFor = reason;
    this.#call?.cancel(reason);
    for (const { reject } of this.#waiting.values()) reject(new ToolError(reason));
    this.#waiting.clear();
  }

  /** Tells the client what the task is doing. If messages come faster than they are stored, the last one counts. */
  setStatusMessage(message: string): void {
    this.#message = message;
    if (this.#isTelling) return;
    this.#isTelling = true;
    void this.#tellMessages();
  }

  /** A question that was asked, and is neither asked any more nor answered, was refused. */
  #observeQuestion({ inputRequests, inputResponses }: TaskRecord, key: string, waiting: Waiting): void {
    if (Object.hasOwn(inputResponses, key)) {
      this.#waiting.delete(key);
      waiting.resolve(inputResponses[key]);
    } else if (Object.hasOwn(inputRequests, key)) {
      waiting.isAsked = true;
    } else if (waiting.isAsked) {
      this.#waiting.delete(key);
      waiting.reject(new ToolError('The client refused to answer'));
    }
  }

  async #tellMessages(): Promise<void> {
    try {
      while (this.#message !== undefined) {
        const message = this.#message;
        this.#message = undefined;
        await this.ledger.change(this.taskId, this.noteScopes(setStatusMessage(message)));
      }
    } catch {
      // A message that is not stored is not worth the task: what the task comes to is.
    } finally {
      this.#isTelling = false;
    }
  }
}
