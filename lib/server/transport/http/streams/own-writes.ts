import type { ServerResponse } from 'node:http';

/** What still reaches a response that is closed to everybody else. */
export interface OwnWrites {
  write(text: string): void;
  end(): void;
}

/** What writes to a response, or throws because its answer has begun. */
const WRITERS = [
  'setHeader',
  'setHeaders',
  'appendHeader',
  'removeHeader',
  'writeHead',
  'flushHeaders',
  'end',
];

/**
 * Closes a response to everybody but the caller. Interceptors and filters of the application still have it while the answer streams: a
 * header that they set would throw, and what answers that error would end the stream.
 */
export function keepForOwnWrites(response: ServerResponse): OwnWrites {
  const { write, end } = response;
  const closed: Record<string, unknown> = { write: () => true };
  for (const name of WRITERS) closed[name] = () => response;
  Object.assign(response, closed);
  return {
    write: (text) => void Reflect.apply(write, response, [text]),
    end: () => void Reflect.apply(end, response, []),
  };
}
