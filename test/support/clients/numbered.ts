import { until } from '../until.js';
import type { EventStream } from './event-stream.js';

/** Gives the numbers of the log entries that came on a stream. */
export function readNumbers({ messages }: EventStream): number[] {
  return messages.flatMap(({ method, params }) => {
    const data = params?.['data'] as { readonly n?: number } | undefined;
    return method === 'notifications/message' && data?.n !== undefined ? [data.n] : [];
  });
}

/** Counts the notifications of a method that came on a stream. */
export function countOf({ messages }: EventStream, method: string): number {
  return messages.filter((message) => message.method === method).length;
}

/** Waits until a log entry came with a number. */
export function untilNumber(stream: EventStream, n: number): Promise<unknown> {
  return until(
    () => readNumbers(stream).includes(n),
    () => `${n} after ${readNumbers(stream).join()}`,
  );
}

/** Gives the numbers from one to another. */
export function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}
