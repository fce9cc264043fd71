import { Injectable } from '@nestjs/common';
import type { JsonRpcRequest } from '../../core/protocol/json-rpc.js';
import type { RequestContext } from '../context/request-context.js';
import type { Count, McpMethod } from '../methods/mcp-method.interface.js';
import { MethodTable } from './method-table.js';

/** A request of a batch, while it is judged with the others. */
export interface JudgedRequest {
  readonly request: JsonRpcRequest;
  readonly context: RequestContext;
}

/** Counts the requests of a batch before they are judged together, which the application's own code may do. */
@Injectable()
export class BatchCounts {
  readonly #counts = new WeakMap<JsonRpcRequest, Promise<void>>();

  constructor(private readonly methods: MethodTable) {}

  /** Counts requests before any look-up. Returns the requests that may continue. */
  countRequests(requests: readonly JudgedRequest[]): Promise<readonly JudgedRequest[]> {
    return this.#count(requests, ({ countRequest }) => countRequest);
  }

  /** Counts the handler calls of requests. Returns the requests that may continue. */
  countCalls(requests: readonly JudgedRequest[]): Promise<readonly JudgedRequest[]> {
    return this.#count(requests, (method) => method.countCall?.bind(method));
  }

  /** Returns what came of counting a request, or `undefined` if it was not counted. */
  find(request: JsonRpcRequest): Promise<void> | undefined {
    return this.#counts.get(request);
  }

  async #count(
    requests: readonly JudgedRequest[],
    select: (method: McpMethod) => Count | undefined,
  ): Promise<readonly JudgedRequest[]> {
    const counts = requests.map(({ request, context }) => {
      const method = this.methods.find(context.method, context.revision);
      const counted = (method && select(method))?.(context) ?? Promise.resolve();
      this.#counts.set(request, counted);
      return counted;
    });
    const settled = await Promise.allSettled(counts);
    return requests.filter((_request, index) => settled[index]?.status === 'fulfilled');
  }
}
