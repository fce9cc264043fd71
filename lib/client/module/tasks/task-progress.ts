import type { Progress } from '@modelcontextprotocol/client';
import { ReplaySubject, type Observable } from 'rxjs';
import type { ServerNotification } from '../connection/server-notification.interface.js';

/** Reports that may arrive with the answer that says that there is a task, before anybody follows it. */
const MOST_EARLY_REPORTS = 100;

/**
 * The progress of the tasks of one connection. The official client forgets the token of a call with its answer, and the token
 * of a task lasts as long as the task.
 *
 * @see MCP 2025-11-25 basic/utilities/tasks, "Progress"
 */
export class TaskProgress {
  readonly #reports = new Map<number, ReplaySubject<Progress>>();

  /** Takes note that a request was answered with a task. Its id is the token. */
  begin(token: number): void {
    const reports = new ReplaySubject<Progress>(MOST_EARLY_REPORTS);
    this.#reports.set(token, reports);
    // Who called learns of the task in this turn of the event loop, or never.
    setImmediate(() => {
      if (!reports.observed) this.end(token);
    });
  }

  /** Passes a notification on, if it reports the progress of a task. */
  take({ method, params }: ServerNotification): void {
    if (method !== 'notifications/progress' || this.#reports.size === 0) return;
    const { progressToken, ...report } = params;
    // As for the official client, a token may come back as a text.
    if (isProgress(report)) this.#reports.get(Number(progressToken))?.next(report);
  }

  /** Returns the progress of a task; absent if the token is unknown. */
  find(token: number | undefined): Observable<Progress> | undefined {
    return token === undefined ? undefined : this.#reports.get(token);
  }

  /** Forgets a token. */
  end(token: number): void {
    this.#reports.get(token)?.complete();
    this.#reports.delete(token);
  }
}

function isProgress(report: object): report is Progress {
  return 'progress' in report && typeof report.progress === 'number';
}
