import { Logger } from '../../../core/logger/logger.js';
import { mergeScopes } from '../../../core/oauth/scope.js';
import { McpError } from '../../../core/protocol/mcp.error.js';
import type { CatalogEntry } from '../../catalog/entries.js';
import type { ResourceAccess } from '../../catalog/resource-access.js';
import { selectLeastAccess, listAccessPaths } from '../../catalog/access-paths.js';
import { findResourceScopes, type NamedResource } from '../../catalog/scopes/required-scopes.js';
import type { Visibility } from '../../catalog/visibility/visibility.js';
import { logFailure } from '../../log/log-failure.js';
import type { VisibilityContext } from '../../settings/scoped-call.interface.js';

/** Knows the scopes for updates of a resource, which are those for reading it now. */
export class ResourceScopes {
  readonly #logger = new Logger('Mcp');

  constructor(
    private readonly access: ResourceAccess,
    private readonly visibility: Visibility,
  ) {}

  /**
   * Whether the answer may differ between subscribers, because some do not see the resource or its scopes depend on the
   * URI. {@link findFor} tells then, and {@link find} else.
   */
  get isPersonal(): boolean {
    return this.visibility.isDeclared || this.access.isDynamic;
  }

  /** Finds what scopes it takes to read a resource. */
  find(uri: string): readonly string[] | undefined {
    return this.access.isDeclared ? this.access.find(uri)?.scopes : undefined;
  }

  /** Finds what scopes it takes to read a resource. Returns `undefined` if it is not there for a subscriber. It never rejects. */
  async findFor(
    uri: string,
    subscriber: VisibilityContext | undefined,
  ): Promise<readonly string[] | undefined> {
    const hidden = new Set<object>();
    for (;;) {
      const named = this.access.findNamed(uri, hidden);
      // What is no resource of the catalog is hidden from nobody.
      if (named === undefined) return hidden.size === 0 ? [] : undefined;
      const { entry } = named;
      const ways = listAccessPaths(entry);
      const seen = await this.#select(ways, subscriber);
      for (const way of ways) if (!seen.has(way)) hidden.add(way);
      if (seen.size > 0) return this.#tell(named, hidden, subscriber);
      hidden.add(entry);
    }
  }

  /** If the scopes of a resource are unknown, no update is announced. */
  async #tell(
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
      if (!(failure instanceof McpError)) this.#logUntold(named, failure, subscriber);
      return undefined;
    }
  }

  #logUntold({ entry }: NamedResource, failure: unknown, subject: VisibilityContext): void {
    const what = `An update of ${JSON.stringify(entry.key)} is not announced, because its scopes could not be determined`;
    logFailure(this.#logger, what, { failure, subject });
  }

  /** Of somebody who is not known nothing is seen that somebody may not see. */
  async #select(
    ways: readonly CatalogEntry[],
    subscriber: VisibilityContext | undefined,
  ): Promise<ReadonlySet<CatalogEntry>> {
    if (!this.visibility.isConditional(ways)) return new Set(ways);
    if (subscriber !== undefined) return this.visibility.select(ways, Infinity, subscriber);
    return new Set(ways.filter((way) => !this.visibility.isConditional([way])));
  }
}
