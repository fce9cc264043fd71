import { retry, Subscription, timer, type Observable } from 'rxjs';
import { Logger } from '../../../../core/logger/logger.js';
import { logFault } from '../../../../core/log/log-fault.js';
import type { EventSourceEntry } from './event-source-entry.js';

const FIRST_RETRY_MS = 1000;
const LONGEST_RETRY_MS = 60_000;

/** The observer of a source. */
export interface SourceListener {
  onValue(value: unknown): void;
  onEnd(): void;
  /** Is called if it failed and is subscribed to again. */
  onFault(explanation: string): void;
}

/** Subscribes to the Observable of a source, and again if it fails. */
export class SourceRunner {
  readonly #logger = new Logger('McpEvents');
  #values$: Observable<unknown> | undefined;
  #running: Subscription | undefined;

  constructor(
    private readonly entry: EventSourceEntry,
    private readonly listener: SourceListener,
  ) {}

  /** Whether it is subscribed to, and has not ended. */
  get isRunning(): boolean {
    return this.#running?.closed === false;
  }

  /**
   * Asks the application for the Observable.
   *
   * @throws {CatalogueError} if it gives none
   */
  open(): Observable<unknown> {
    return (this.#values$ ??= this.entry.open());
  }

  begin(): void {
    if (this.#running !== undefined) return;
    const running = new Subscription();
    this.#running = running;
    const values$ = this.open().pipe(
      retry({ delay: (error, attempt) => this.#delayRetry(error, attempt), resetOnSuccess: true }),
    );
    running.add(
      values$.subscribe({
        next: (value) => this.listener.onValue(value),
        complete: () => this.listener.onEnd(),
      }),
    );
  }

  /** Parts from it; it can begin again. */
  rest(): void {
    this.#running?.unsubscribe();
    this.#running = undefined;
  }

  /** Parts from it for good. */
  stop(): void {
    this.#running ??= new Subscription();
    this.#running.unsubscribe();
  }

  #delayRetry(error: unknown, attempt: number): Observable<unknown> {
    const delayMs = Math.min(FIRST_RETRY_MS * 2 ** (attempt - 1), LONGEST_RETRY_MS);
    const what = `The event source "${this.entry.name}" failed and is subscribed to again in ${delayMs} ms`;
    logFault(this.#logger, error, what);
    this.listener.onFault('The source failed: the server tries again');
    return timer(delayMs);
  }
}
