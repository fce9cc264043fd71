import type { SpanContext } from '@opentelemetry/api';
import { LRUCache } from 'lru-cache';

/** Tasks whose spans are known: requests for others are not linked. */
const MOST_TASKS = 1000;

/** The spans in which tasks run, so that requests for a task can be linked to it. */
export class TaskSpans {
  readonly #spans = new LRUCache<string, SpanContext>({ max: MOST_TASKS });

  note(taskId: string, span: SpanContext | undefined): void {
    if (span !== undefined) this.#spans.set(taskId, span);
  }

  find(taskId: unknown): SpanContext | undefined {
    return typeof taskId === 'string' ? this.#spans.get(taskId) : undefined;
  }
}
