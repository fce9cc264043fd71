import type { RequestId } from '../../core/protocol/json-rpc.js';
import type { RequestContext } from '../context/request-context.js';

/** Knows which requests are not answered yet. */
export interface RequestTracker {
  /** How many count towards what one client may have running. */
  readonly size: number;
  has(id: RequestId): boolean;
  add(context: RequestContext): void;
  remove(context: RequestContext): void;
  find(id: RequestId): RequestContext | undefined;
  /** Returns all of them, oldest first. */
  all(): readonly RequestContext[];
}

/** The running requests of one session: found by id, so that the client can cancel them. */
export class InFlightRequests implements RequestTracker {
  /** There is none before the first request: many a session never has one. */
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

/** The running requests of one connection that are of no session: those of all connections are known together too. */
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

/** The running requests that belong to no session: their ids say nothing, since any two clients may use the same. */
export class StatelessRequests implements RequestTracker {
  /** They count for nobody: one client must not use up what another may have running. */
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
