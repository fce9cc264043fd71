import { explainError } from '../../../../core/log/explain-error.js';
import { CatalogError } from '../../../catalog/catalog.error.js';
import type { ClusterBus } from '../../../cluster/cluster-bus.js';
import type { EventsSettings } from '../../../settings/extensions/events-options.js';
import type { EventCursors } from './event-cursors.js';
import { EventFeed } from './event-feed.js';
import { buildEventSourceEntry, type EventSourceEntry, type EventSourceParts } from './event-source-entry.js';

/** The declaration of a source. */
export type SourceDeclaration = Omit<EventSourceParts, 'takesWebhooks'>;

/** What all feeds of a server have. */
export interface FeedParts {
  readonly cursors: EventCursors;
  readonly bounds: EventsSettings;
  readonly bus: ClusterBus;
  readonly takesWebhooks: boolean;
}

/** Makes feeds of what is declared. */
export class FeedFactory {
  constructor(private readonly parts: FeedParts) {}

  /**
   * Makes the feed of a source.
   *
   * @param place where the source is declared, for error texts
   * @throws {CatalogError} if it cannot be served as it is declared
   */
  build(declared: SourceDeclaration, place: string): EventFeed {
    const { cursors, bounds, bus } = this.parts;
    return new EventFeed(this.describe(declared, place), cursors, bounds, bus);
  }

  /** @throws {CatalogError} if it cannot be served as it is declared */
  describe(declared: SourceDeclaration, place: string): EventSourceEntry {
    const { takesWebhooks } = this.parts;
    try {
      return buildEventSourceEntry({ ...declared, takesWebhooks });
    } catch (error) {
      const explanation = explainError(error);
      throw CatalogError.invalid(`${place}: ${explanation}`, error);
    }
  }
}
