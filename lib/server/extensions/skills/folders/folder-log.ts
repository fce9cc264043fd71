import { Logger } from '../../../../core/logger/logger.js';
import { explainError } from '../../../../core/log/explain-error.js';

/** Logs facts about a folder of skills for the operator. */
export class FolderLog {
  readonly #logger = new Logger('McpSkills');
  /** What was told about each place last. */
  readonly #told = new Map<string, string>();
  #isClosed = false;

  /** @param folder as the application names it */
  constructor(private readonly folder: string) {}

  warn(what: string, error?: unknown): void {
    const reason = error instanceof Error ? `: ${error.message}` : '';
    this.#write(`The folder of skills "${this.folder}" ${what}${reason}`);
  }

  /** Tells once why a skill stays as it was. */
  warnOf(path: string, error: unknown): void {
    const text = explainError(error);
    if (this.#told.get(path) === text) return;
    this.#told.set(path, text);
    this.#write(`${text} (it stays as it was)`);
  }

  /** Forgets what was logged about a skill, because the skill is now served. */
  forget(path: string): void {
    this.#told.delete(path);
  }

  /** Has nothing more told, such as of a folder that goes when the server has ended. */
  close(): void {
    this.#isClosed = true;
  }

  #write(line: string): void {
    if (!this.#isClosed) this.#logger.warn(line);
  }
}
