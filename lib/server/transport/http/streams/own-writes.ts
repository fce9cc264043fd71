import type { ServerResponse } from 'node:http';

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

/** The same for all responses: functions of its own would be kept for each stream as long as it is open. */
const CLOSED: Readonly<Record<string, unknown>> = {
  write: () => true,
  ...Object.fromEntries(WRITERS.map((name) => [name, doNothing])),
};

function doNothing(this: ServerResponse): ServerResponse {
  return this;
}

/**
 * Closes a response. Interceptors and filters of the application can still use the response while the answer streams. A
 * header that they set would throw, and the answer to that error would end the stream.
 */
export function closeToOthers(response: ServerResponse): void {
  Object.assign(response, CLOSED);
}

/** Closes a response to everybody but itself. */
export class OwnWrites {
  readonly #write: (text: string) => boolean;
  readonly #end: () => ServerResponse;

  constructor(private readonly response: ServerResponse) {
    ({ write: this.#write, end: this.#end } = response);
    closeToOthers(response);
  }

  write(text: string): void {
    this.#write.call(this.response, text);
  }

  end(): void {
    this.#end.call(this.response);
  }
}
