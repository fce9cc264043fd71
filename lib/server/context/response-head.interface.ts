import type { HttpView } from './mcp-context.interface.js';

/** The value of a header, as Node accepts it. */
export type HeaderValue = number | string | readonly string[];

/** The head of the HTTP response to a request. A handler's enhancers may add to it until it is sent. */
export interface ResponseHead {
  /** Whether the head has been sent. */
  readonly isAnswered: boolean;
  readonly response: {
    getHeader(name: string): HeaderValue | undefined;
    setHeader(name: string, value: HeaderValue): unknown;
    removeHeader(name: string): void;
  };
}

/** Finds the head of the response to an HTTP request, unless it is already sent. */
export function findResponseHead(http: HttpView | undefined): ResponseHead | undefined {
  if (http === undefined || !('response' in http && 'isAnswered' in http)) return undefined;
  const head = http as HttpView & ResponseHead;
  return head.isAnswered ? undefined : head;
}
