import { Injectable, Logger } from '@nestjs/common';
import { uniteScopes } from '../../../core/oauth/scope.js';
import { McpError } from '../../../core/protocol/mcp.error.js';
import type { CatalogueEntry } from '../../catalogue/entries.js';
import { ResourceAccess } from '../../catalogue/resource-access.js';
import { tellOfResource, type NamedResource } from '../../catalogue/scopes/demand.js';
import { Visibility } from '../../catalogue/visibility/visibility.js';
import { logFailure } from '../../log/log-failure.js';
import type { VisibilityContext } from '../../settings/visibility-context.interface.js';

/** Knows what it takes to hear of a resource: what it takes to read it now. */
@Injectable()
export class ResourceScopes {
  readonly #logger = new Logger('Mcp');

  constructor(
    private readonly access: ResourceAccess,
    private readonly visibility: Visibility,
  ) {}

  /**
   * Whether it may take something else for each subscriber: resources that some do not see, or scopes that depend on what is read.
   * {@link findFor} tells then, and {@link find} else.
   */
  get isPersonal(): boolean {
    return this.visibility.isDeclared || this.access.isDynamic;
  }

  /** Finds what scopes it takes to read a resource. */
  find(uri: string): readonly string[] | undefined {
    return this.access.isDeclared ? this.access.find(uri)?.scopes : undefined;
  }

  /** Finds what scopes it takes to read a resource; nothing if it is not there for a subscriber. It never rejects. */
  async findFor(
    uri: string,
    subscriber: VisibilityContext | undefined,
  ): Promise<readonly string[] | undefined> {
    const hidden = new Set<object>();
    for (;;) {
      const named = this.access.findNamed(uri, hidden);
      // What is no resource of the catalogue is hidden from nobody.
      if (named === undefined) return hidden.size === 0 ? [] : undefined;
      const { entry } = named;
      const isSeen = !this.visibility.isConditional([entry]) || (await this.#sees(entry, subscriber));
      if (isSeen) return this.#tell(named, subscriber);
      hidden.add(entry);
    }
  }

  /** Nobody is told of a resource if it cannot be told what it takes to read it. */
  async #tell(
    named: NamedResource,
    subscriber: VisibilityContext | undefined,
  ): Promise<readonly string[] | undefined> {
    const { scopes = [], dynamic } = named.entry.access ?? {};
    if (dynamic === undefined) return scopes;
    if (subscriber === undefined) return undefined;
    try {
      return uniteScopes(scopes, await tellOfResource(named, dynamic, subscriber));
    } catch (failure) {
      if (!(failure instanceof McpError)) this.#logUntold(named, failure, subscriber);
      return undefined;
    }
  }

  #logUntold({ entry }: NamedResource, failure: unknown, subject: VisibilityContext): void {
    const what = `An update of ${JSON.stringify(entry.key)} is not told, because it could not be told which scopes it takes`;
    logFailure(this.#logger, what, { failure, subject });
  }

  #sees(entry: CatalogueEntry, subscriber: VisibilityContext | undefined): boolean | Promise<boolean> {
    return subscriber !== undefined && this.visibility.sees(entry, subscriber);
  }
}
