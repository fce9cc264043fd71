import { Injectable } from '@nestjs/common';
import type { CatalogueEntry } from '../../catalogue/entries.js';
import { ResourceAccess } from '../../catalogue/resource-access.js';
import { Visibility } from '../../catalogue/visibility/visibility.js';
import type { VisibilityContext } from '../../settings/visibility-context.interface.js';

/** Knows what it takes to hear of a resource: what it takes to read it now. */
@Injectable()
export class ResourceScopes {
  constructor(
    private readonly access: ResourceAccess,
    private readonly visibility: Visibility,
  ) {}

  /** Whether there are resources for some subscribers and not for others: {@link findFor} tells then, and {@link find} else. */
  get isPersonal(): boolean {
    return this.visibility.isDeclared;
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
      const entry = this.access.findEntry(uri, hidden);
      // What is no resource of the catalogue is hidden from nobody.
      if (entry === undefined) return hidden.size === 0 ? [] : undefined;
      const isSeen = !this.visibility.isConditional([entry]) || (await this.#sees(entry, subscriber));
      if (isSeen) return entry.access?.scopes ?? [];
      hidden.add(entry);
    }
  }

  #sees(entry: CatalogueEntry, subscriber: VisibilityContext | undefined): boolean | Promise<boolean> {
    return subscriber !== undefined && this.visibility.sees(entry, subscriber);
  }
}
