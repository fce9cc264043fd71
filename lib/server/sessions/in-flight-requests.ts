import type { RequestId } from '../../core/protocol/json-rpc.js';
import type { RequestContext } from '../context/request-context.js';

/** Tracks the requests that are still running. */
export interface RequestTracker {
  /** The number of requests that count toward a client's limit on running requests. */
  readonly size: number;
  has(id: RequestId): boolean;
  add(context: RequestContext): void;
  remove(context: RequestContext): void;
  find(id: RequestId): RequestContext | undefined;
  /** Returns all running requests, oldest first. */
  all(): readonly RequestContext[];
}

/** One session's running requests, which are found by id so that the client can cancel them. */
export class InFlightRequests implements RequestTracker {
  /** Created with the first request, because many sessions never send one. */
  #contexts: Map<RequestId, RequestContext> | undefined;

  get size(): number {
    return this.#contexts?.size ?? 0;
  }

  has(id: RequestId): boolean {
    return this.#contexts?.has(id) === true;
  }

  add(context: RequestContext): void {
    this.#contexts ??= new Map();
    this.#contexts.set(context.id, context);
  }

  remove(context: RequestContext): void {
    if (this.find(context.id) === context) this.#contexts?.delete(context.id);
  }

  find(id: RequestId): RequestContext | undefined {
    return this.#contexts?.get(id);
  }

  all(): readonly RequestContext[] {
    return [...(this.#contexts?.values() ?? [])];
  }
}

/**
 * One connection's running requests that do not belong to a session. They are also tracked across all connections.
 */
export class ConnectionRequests extends InFlightRequests {
  constructor(private readonly everywhere: StatelessRequests) {
    super();
  }

  override add(context: RequestContext): void {
    super.add(context);
    this.everywhere.add(context);
  }

  override remove(context: RequestContext): void {
    super.remove(context);
    this.everywhere.remove(context);
  }
}

/**
 * The running requests that do not belong to a session. They cannot be found by id, because two clients may use the
 * same ids.
 */
export class StatelessRequests implements RequestTracker {
  /** Always zero, because one client must not use up another client's limit on running requests. */
  readonly size = 0;
  readonly #contexts = new Set<RequestContext>();

  has(): boolean {
    return false;
  }

  add(context: RequestContext): void {
    this.#contexts.add(context);
  }

  remove(context: RequestContext): void {
    this.#contexts.delete(context);
  }

  find(): undefined {
    return undefined;
  }

  all(): readonly RequestContext[] {
    return [...this.#contexts];
  }
}
