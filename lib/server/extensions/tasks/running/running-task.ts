import type { InputRequest } from '../../../../core/protocol/input-requests.js';
import { ToolError } from '../../../context/tool-errors.js';
import type { RunningCall } from '../../../dispatch/extension.interface.js';
import type { TaskRecord } from '../../../settings/extensions/task-store.interface.js';
import { askInput, isOver, noteScopes, setStatusMessage, type TaskChange } from '../ledger/task-changes.js';
import type { TaskLedger } from '../ledger/task-ledger.js';

interface Waiting {
  readonly resolve: (answer: unknown) => void;
  readonly reject: (reason: Error) => void;
  /** Whether the request has been stored with the task. */
  isStored: boolean;
}

/** Connects a handler that runs here with its stored task. */
export class RunningTask {
  readonly #waiting = new Map<string, Waiting>();
  #call: RunningCall | undefined;
  #message: string | undefined;
  #isStoringMessages = false;
  #endedFor: string | undefined;
  /** The last observed version. */
  #version = 0;

  constructor(
    private readonly taskId: string,
    private readonly ledger: TaskLedger,
  ) {}

  /** Attaches the call, which is cancelled when the task ends. */
  attach(call: RunningCall): void {
    this.#call = call;
    if (this.#endedFor !== undefined) call.cancel(this.#endedFor);
  }

  /** Whether its call has started. */
  get hasBegun(): boolean {
    return this.#call !== undefined;
  }

  /** The scopes that the call has required so far. */
  get requiredScopes(): readonly string[] {
    return this.#call?.requiredScopes ?? [];
  }

  /** Adds the scopes that the call has required so far to a change, because readers of the task must have them. */
  noteScopes(change: TaskChange): TaskChange {
    return noteScopes(change, () => this.requiredScopes);
  }

  /** Returns the task with the scopes that its call has required so far. */
  describe(record: TaskRecord): TaskRecord {
    return this.noteScopes((known) => known)(record) ?? record;
  }

  /** Requests input from the client. A repeated call may receive an earlier response. */
  async requestInput(key: string, request: InputRequest): Promise<unknown> {
    const answer = new Promise((resolve, reject) => {
      this.#waiting.set(key, { resolve, reject, isStored: false });
    });
    // The promise may reject while the request is still being stored.
    answer.catch(() => undefined);
    const asked = await this.ledger.change(this.taskId, this.noteScopes(askInput(key, request)));
    if (asked === undefined || isOver(asked)) {
      throw new ToolError('The task has ended, so the client can no longer receive requests');
    }
    this.observe(asked);
    return answer;
  }

  /** Applies a change to the task that any process made. */
  observe(record: TaskRecord): void {
    if (record.version < this.#version) return;
    this.#version = record.version;
    if (isOver(record)) return this.end(`The task is ${record.status}`);
    for (const [key, waiting] of this.#waiting) this.#observeInput(record, key, waiting);
  }

  /** Cancels the handler without waiting for it. */
  end(reason: string): void {
    this.#endedFor = reason;
    this.#call?.cancel(reason);
    for (const { reject } of this.#waiting.values()) reject(new ToolError(reason));
    this.#waiting.clear();
  }

  /**
   * Sets the status message for the client. If messages arrive faster than they are stored, only the last one is
   * stored.
   */
  setStatusMessage(message: string): void {
    this.#message = message;
    if (this.#isStoringMessages) return;
    this.#isStoringMessages = true;
    void this.#storeMessages();
  }

  /** Settles an input request. A stored request that disappears without a response was declined. */
  #observeInput({ inputRequests, inputResponses }: TaskRecord, key: string, waiting: Waiting): void {
    if (Object.hasOwn(inputResponses, key)) {
      this.#waiting.delete(key);
      waiting.resolve(inputResponses[key]);
    } else if (Object.hasOwn(inputRequests, key)) {
      waiting.isStored = true;
    } else if (waiting.isStored) {
      this.#waiting.delete(key);
      waiting.reject(new ToolError('The client refused to answer'));
    }
  }

  async #storeMessages(): Promise<void> {
    try {
      while (this.#message !== undefined) {
        const message = this.#message;
        this.#message = undefined;
        await this.ledger.change(this.taskId, this.noteScopes(setStatusMessage(message)));
      }
    } catch {
      // A failure to store a status message must not fail the task.
    } finally {
      this.#isStoringMessages = false;
    }
  }
}
