import type { HttpView } from './mcp-context.interface.js';

/** The value of a header as Node takes it. */
export type HeaderValue = number | string | readonly string[];

/** The head of the HTTP answer to a request. Enhancers of a handler may add to it until the answer begins. */
export interface AnswerHead {
  /** Whether the answer has begun. */
  readonly isAnswered: boolean;
  readonly response: {
    getHeader(name: string): HeaderValue | undefined;
    setHeader(name: string, value: HeaderValue): unknown;
    removeHeader(name: string): void;
  };
}

/** Finds the head of the answer to a request that came by HTTP; nothing once the answer has begun. */
export function findAnswerHead(http: HttpView | undefined): AnswerHead | undefined {
  if (http === undefined || !('response' in http && 'isAnswered' in http)) return undefined;
  const head = http as HttpView & AnswerHead;
  return head.isAnswered ? undefined : head;
}
