import { Logger } from '../../core/logger/logger.js';
import { mergeScopes } from '../../core/oauth/scope.js';
import { McpError } from '../../core/protocol/mcp.error.js';
import { selectLeastAccess, listAccessPaths } from '../catalog/access-paths.js';
import type { CatalogEntry } from '../catalog/entries.js';
import type { ResourceAccess } from '../catalog/resource-access.js';
import { findResourceScopes, type NamedResource } from '../catalog/scopes/required-scopes.js';
import type { Visibility } from '../catalog/visibility/visibility.js';
import { isUpTo } from '../cluster/position.js';
import type { Authentication } from '../context/authentication.js';
import type { RequestContext } from '../context/request-context.js';
import { logFailure } from '../log/log-failure.js';
import { HeapCost } from '../memory/memory-limits.js';
import type { Session } from '../sessions/session.js';
import { NO_SCOPES } from '../sessions/streams/scope-holder.interface.js';
import type { ClusterPosition } from '../settings/cluster/cluster.interface.js';
import type { VisibilityContext } from '../settings/scoped-call.interface.js';
import { isInAudience, type Audience } from './audience.js';

/** The scopes that a reader's token must have; `undefined` if the session does not receive the notification. */
export type RequiredScopes = readonly string[] | undefined;

/** Finds the scopes that sessions need for notifications. */
export class NotificationScopes {
  constructor(
    private readonly scopes: ResourceScopes,
    private readonly views: SubscriberViews,
  ) {}

  /**
   * Returns the scopes that a notification requires, or `undefined` if the session is not in its audience.
   *
   * @param position its position in the log, if it has one
   */
  find(session: Session, to: Audience, position?: ClusterPosition): RequiredScopes | Promise<RequiredScopes> {
    if (!isInAudience(session, to)) return undefined;
    if (!('uri' in to)) return ('scopes' in to ? to.scopes : undefined) ?? NO_SCOPES;
    const since = session.findSubscribed(to.uri);
    if (position !== undefined && since !== undefined && isUpTo(position, since)) return undefined;
    if (this.scopes.isPersonal) return this.scopes.findFor(to.uri, this.views.find(session));
    return this.scopes.find(to.uri) ?? NO_SCOPES;
  }
}

/** Finds the scopes that a resource's updates require, which are those for reading it now. */
export class ResourceScopes {
  readonly #logger = new Logger('Mcp');

  constructor(
    private readonly access: ResourceAccess,
    private readonly visibility: Visibility,
  ) {}

  /**
   * Whether the scopes may differ between subscribers, because some cannot see the resource or its scopes depend on the
   * URI. If so, use {@link findFor}, otherwise {@link find}.
   */
  get isPersonal(): boolean {
    return this.visibility.isDeclared || this.access.isDynamic;
  }

  /** Finds the scopes required to read a resource. */
  find(uri: string): readonly string[] | undefined {
    return this.access.isDeclared ? this.access.find(uri)?.scopes : undefined;
  }

  /**
   * Finds the scopes required to read a resource. Resolves to `undefined` if the subscriber cannot see it. It never
   * rejects.
   */
  async findFor(
    uri: string,
    subscriber: VisibilityContext | undefined,
  ): Promise<readonly string[] | undefined> {
    const hidden = new Set<object>();
    for (;;) {
      const named = this.access.findNamed(uri, hidden);
      // A URI outside the catalog is not hidden.
      if (named === undefined) return hidden.size === 0 ? [] : undefined;
      const { entry } = named;
      const paths = listAccessPaths(entry);
      const visible = await this.#select(paths, subscriber);
      for (const path of paths) if (!visible.has(path)) hidden.add(path);
      if (visible.size > 0) return this.#findVisible(named, hidden, subscriber);
      hidden.add(entry);
    }
  }

  /** If a resource's scopes cannot be determined, its updates are not sent. */
  async #findVisible(
    named: NamedResource,
    hidden: ReadonlySet<object>,
    subscriber: VisibilityContext | undefined,
  ): Promise<readonly string[] | undefined> {
    const hasScope = (scope: string): boolean => subscriber?.auth.hasScope(scope) === true;
    const { scopes = [], dynamic } = selectLeastAccess(named.entry, { hidden, hasScope }) ?? {};
    if (dynamic === undefined) return scopes;
    if (subscriber === undefined) return undefined;
    try {
      return mergeScopes(scopes, await findResourceScopes(named, dynamic, subscriber));
    } catch (failure) {
      if (!(failure instanceof McpError)) this.#logSkipped(named, failure, subscriber);
      return undefined;
    }
  }

  #logSkipped({ entry }: NamedResource, failure: unknown, subject: VisibilityContext): void {
    const what = `An update for ${JSON.stringify(entry.key)} was not sent, because its scopes could not be determined`;
    logFailure(this.#logger, what, { failure, subject });
  }

  /** An unknown subscriber sees only unconditional entries. */
  async #select(
    paths: readonly CatalogEntry[],
    subscriber: VisibilityContext | undefined,
  ): Promise<ReadonlySet<CatalogEntry>> {
    if (!this.visibility.isConditional(paths)) return new Set(paths);
    if (subscriber !== undefined) return this.visibility.select(paths, Infinity, subscriber);
    return new Set(paths.filter((path) => !this.visibility.isConditional([path])));
  }
}

/** A standalone SSE stream's reader, from the request that opened it. */
type Reader = NonNullable<VisibilityContext['http']> & {
  readonly authentication?: Pick<Authentication, 'claims' | 'scopes'> | undefined;
};

/**
 * The sessions' subscribers, from their latest subscriptions. A view is enough to determine which catalog entries a
 * subscriber can see, and which scopes it has.
 */
export class SubscriberViews {
  readonly #views = new WeakMap<Session, VisibilityContext>();

  constructor(private readonly scopes: ResourceScopes) {}

  /**
   * Stores the subscriber if entries are personal.
   *
   * @throws {MemoryLimitError} if there is not enough memory for it
   */
  store(session: Session, { method, params, meta, http, auth }: RequestContext): void {
    this.#store(session, { method, params, meta, auth }, http);
  }

  /**
   * Stores the reader of a standalone SSE stream, if entries are personal. Another process may have handled the
   * subscription.
   *
   * @throws {MemoryLimitError} if there is not enough memory for it
   */
  storeReader(session: Session, http: Reader): void {
    const { authentication } = http;
    const auth = {
      claims: authentication?.claims,
      hasScope: (scope: string) => authentication?.scopes.has(scope) === true,
    };
    this.#store(session, { method: 'resources/subscribe', params: {}, meta: {}, auth }, http);
  }

  #store(
    session: Session,
    request: Pick<VisibilityContext, 'method' | 'params' | 'meta' | 'auth'>,
    http: VisibilityContext['http'],
  ): void {
    if (!this.scopes.isPersonal) return;
    if (!this.#views.has(session)) session.memory.add(HeapCost.request);
    const { revision, client } = session;
    this.#views.set(session, {
      ...request,
      revision,
      client,
      session,
      signal: NEVER,
      // The whole exchange would retain the response and its connection.
      ...(http && { http: { headers: http.headers, request: http.request } }),
    });
  }

  /** Finds a session's subscriber. Returns `undefined` if no entry was personal at the time. */
  find(session: Session): VisibilityContext | undefined {
    return this.#views.get(session);
  }
}

const NEVER = new AbortController().signal;
