import type { JsonRpcRequest } from '../../core/protocol/json-rpc.js';
import type { SpanAttributes } from '../../core/telemetry/bound-text.js';

/** What a request asks for. */
export type Asked = Pick<JsonRpcRequest, 'method' | 'params'>;

/** A span of one request, and what the parts of the server add to it. */
export interface RequestSpan {
  /** Sets an attribute. */
  set(name: string, value: string | number | boolean): void;
  /** Describes what the request asks for, and names the span after it, if the server has that. */
  describe(asked: Asked): void;
  /** Links the span to one that the request names in its body, by a `traceparent` of W3C Trace Context. */
  link(traceparent: string): void;
  /** Runs a function as part of the span: spans that are started in it are its children. */
  run<Result>(act: () => Result): Result;
  /** Runs a function in a span of its own below this one, which ends with the function's promise. */
  runChild<Result>(name: string, attributes: SpanAttributes, act: () => Promise<Result>): Promise<Result>;
  /** Notes that the request failed, by a word that says how. */
  fail(description: string): void;
  /** Ends the span, once. */
  end(): void;
}
