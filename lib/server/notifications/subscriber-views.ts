import type { Authentication } from '../context/authentication.js';
import type { RequestContext } from '../context/request-context.js';
import { HeapCost } from '../memory/memory-limits.js';
import type { Session } from '../sessions/session.js';
import type { ResourceScopes } from './announcing/resource-scopes.js';
import type { VisibilityContext } from '../settings/scoped-call.interface.js';

/** The reader of a standing stream, from the request that opened it. */
type Reader = NonNullable<VisibilityContext['http']> & {
  readonly authentication?: Pick<Authentication, 'claims' | 'scopes'> | undefined;
};

/**
 * The subscriber of a session, as the latest subscription shows it. It is enough to decide what the subscriber may see
 * in the catalog, and with which scopes.
 */
export class SubscriberViews {
  readonly #views = new WeakMap<Session, VisibilityContext>();

  constructor(private readonly scopes: ResourceScopes) {}

  /**
   * Keeps who subscribes, if that makes a difference.
   *
   * @throws {MemoryLimitError} if there is not enough memory for it
   */
  keep(session: Session, { method, params, meta, http, auth }: RequestContext): void {
    this.#keep(session, { method, params, meta, auth }, http);
  }

  /**
   * Keeps who reads a standing stream, if that makes a difference: another process may have seen the subscription.
   *
   * @throws {MemoryLimitError} if there is not enough memory for it
   */
  keepReader(session: Session, http: Reader): void {
    const { authentication } = http;
    const auth = {
      claims: authentication?.claims,
      hasScope: (scope: string) => authentication?.scopes.has(scope) === true,
    };
    this.#keep(session, { method: 'resources/subscribe', params: {}, meta: {}, auth }, http);
  }

  #keep(
    session: Session,
    asked: Pick<VisibilityContext, 'method' | 'params' | 'meta' | 'auth'>,
    http: VisibilityContext['http'],
  ): void {
    if (!this.scopes.isPersonal) return;
    if (!this.#views.has(session)) session.memory.add(HeapCost.request);
    const { revision, client } = session;
    this.#views.set(session, {
      ...asked,
      revision,
      client,
      session,
      signal: NEVER,
      // The exchange itself holds the answer and its connection.
      ...(http && { http: { headers: http.headers, request: http.request } }),
    });
  }

  /** Gives who subscribed in a session. Returns `undefined` if all was for everybody then. */
  find(session: Session): VisibilityContext | undefined {
    return this.#views.get(session);
  }
}

const NEVER = new AbortController().signal;
