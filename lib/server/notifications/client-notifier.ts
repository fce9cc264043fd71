import type { LogLevel } from '../../core/protocol/log-level.js';
import type { Recipients } from './announcing/announcement.js';
import type { Announcer } from './announcing/announcer.js';
import { buildListChanged, buildLogMessage, buildUpdate } from './change-notifications.js';
import type { Area } from './list-changed.js';

/** Tells clients what changed: each session that negotiated it and each subscription that asked for it gets one message. */
export class ClientNotifier {
  readonly #only: { readonly only?: Recipients };

  /** @param only who is told; everybody if it is left out */
  constructor(
    protected readonly announcer: Announcer,
    only?: Recipients,
  ) {
    this.#only = only === undefined ? {} : { only };
  }

  /** Tells that the list of tools changed. The catalogue does so by itself. */
  toolsListChanged(): void {
    this.#listChanged('tools');
  }

  /** Tells that the list of prompts changed. The catalogue does so by itself. */
  promptsListChanged(): void {
    this.#listChanged('prompts');
  }

  /** Tells that the list of resources or templates changed. The catalogue does so by itself. */
  resourcesListChanged(): void {
    this.#listChanged('resources');
  }

  /** Tells that the list of event sources changed. The sources do so by themselves. */
  eventsListChanged(): void {
    this.#listChanged('events');
  }

  /**
   * Tells the subscribers of a resource that it changed, if they may see it and their tokens could read it now.
   *
   * @see MCP server/resources, "Subscriptions"
   */
  resourceUpdated(uri: string): void {
    this.announcer.announce({ uri, ...this.#only }, buildUpdate(uri));
  }

  /**
   * Sends a log entry to every session whose level it reaches.
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
