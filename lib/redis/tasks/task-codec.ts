import { Logger } from '../../core/logger/logger.js';
import { Cipher } from '../../core/sealing/cipher.js';
import type { TaskRecord } from '../../server/settings/extensions/task-store.interface.js';

/** The beginning of an encrypted task. JSON does not begin so. */
const ENCRYPTED = 'e1:';

/** Formats and parses tasks for Redis, encrypted if there is a secret. The expiry is not in the text, because Redis keeps it by its own clock. */
export class TaskCodec {
  readonly #logger = new Logger('McpTasks');
  readonly #cipher: Cipher | undefined;
  #hasWarned = false;

  constructor(secrets: readonly string[]) {
    const [first, ...others] = secrets;
    this.#cipher = first === undefined ? undefined : new Cipher('task', [first, ...others]);
  }

  format(record: TaskRecord): string {
    const { expires: _expires, ...kept } = record;
    const text = JSON.stringify(kept);
    return this.#cipher === undefined ? text : ENCRYPTED + this.#cipher.encrypt(text, record.taskId);
  }

  /** Parses a task. Returns `undefined` if it was encrypted by an unknown secret. */
  parse(taskId: string, text: string, lastsMs: number): TaskRecord | undefined {
    const json = text.startsWith(ENCRYPTED)
      ? this.#cipher?.decrypt(text.slice(ENCRYPTED.length), taskId)
      : text;
    if (json === undefined) return this.#warn();
    const kept = JSON.parse(json) as Omit<TaskRecord, 'expires'>;
    return { ...kept, expires: Date.now() + lastsMs };
  }

  #warn(): undefined {
    if (!this.#hasWarned) {
      this.#logger.warn(
        'Tasks cannot be read that were encrypted by another "secret": keep it behind the new one',
      );
    }
    this.#hasWarned = true;
  }
}
