import { Injectable } from '@nestjs/common';
import { Visibility } from '../catalogue/visibility/visibility.js';
import type { RequestContext } from '../context/request-context.js';
import { HeapCost } from '../memory/heap-costs.js';
import type { Session } from '../sessions/session.js';
import type { VisibilityContext } from '../settings/visibility-context.interface.js';

/** Who subscribes in a session, as far as it takes to tell what of the catalogue there is for them: by their latest subscription. */
@Injectable()
export class SubscriberViews {
  readonly #views = new WeakMap<Session, VisibilityContext>();

  constructor(private readonly visibility: Visibility) {}

  /**
   * Keeps who subscribes, where that makes a difference.
   *
   * @throws {MemoryLimitError} if there is no memory for it
   */
  keep(session: Session, context: RequestContext): void {
    if (!this.visibility.isDeclared) return;
    if (!this.#views.has(session)) session.memory.add(HeapCost.request);
    const { method, params, meta, revision, client, http, auth } = context;
    const view = { method, params, meta, revision, client, session, auth, signal: NEVER };
    this.#views.set(session, {
      ...view,
      // The exchange itself holds the answer and its connection.
      ...(http && { http: { headers: http.headers, request: http.request } }),
    });
  }

  /** Gives who subscribed in a session; nothing if all was for everybody then. */
  find(session: Session): VisibilityContext | undefined {
    return this.#views.get(session);
  }
}

const NEVER = new AbortController().signal;
