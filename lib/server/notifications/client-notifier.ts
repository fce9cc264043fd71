import type { LogLevel } from '../../core/protocol/log-level.js';
import { normalizeUri } from '../../core/protocol/normalize-uri.js';
import type { Recipients } from './announcing/announcement.js';
import type { Announcer } from './announcing/announcer.js';
import { buildListChanged, buildLogMessage, buildUpdate } from './change-notifications.js';
import type { Area } from './list-changed.js';

/**
 * Tells clients what changed. Each session that negotiated it gets one message, and so does each subscription that
 * asked for it.
 */
export class ClientNotifier {
  readonly #only: { readonly only?: Recipients };

  /** @param only the recipients; everybody by default */
  constructor(
    protected readonly announcer: Announcer,
    only?: Recipients,
  ) {
    this.#only = only === undefined ? {} : { only };
  }

  /** Announces that the list of tools changed. The catalog does this itself. */
  toolsListChanged(): void {
    this.#listChanged('tools');
  }

  /** Announces that the list of prompts changed. The catalog does this itself. */
  promptsListChanged(): void {
    this.#listChanged('prompts');
  }

  /** Announces that the list of resources or templates changed. The catalog does this itself. */
  resourcesListChanged(): void {
    this.#listChanged('resources');
  }

  /** Announces that the list of event sources changed. The sources do this themselves. */
  eventsListChanged(): void {
    this.#listChanged('events');
  }

  /**
   * Tells the subscribers of a resource that it changed, if they can see it and their tokens allow reading it now.
   *
   * @see MCP server/resources, "Subscriptions"
   */
  resourceUpdated(uri: string): void {
    this.announcer.announce({ uri: normalizeUri(uri), ...this.#only }, buildUpdate(uri));
  }

  /**
   * Sends a log entry to every session that asked for its level.
   *
   * @see MCP server/utilities/logging
   */
  log(level: LogLevel, data: unknown, logger?: string): void {
    this.announcer.announce({ level, ...this.#only }, buildLogMessage(level, data, logger));
  }

  #listChanged(area: Area): void {
    this.announcer.announce({ area, ...this.#only }, buildListChanged(area));
  }
}
