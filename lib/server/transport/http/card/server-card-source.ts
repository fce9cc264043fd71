import { CARD_MEDIA_TYPE } from '../../../../core/protocol/server-card.js';
import { findProvided } from '../../../catalog/discovery/providers.js';
import { AUTHORIZATION_SERVER_FACTS, type ServerIdentity } from '../../../settings/mcp.constants.js';
import type { ServerSettings } from '../../../settings/server-settings.js';
import type { EndpointPath } from '../endpoint-path.js';
import { buildServerCard, type CardEndpoint, findDescription, type ServerCard } from './server-card.js';
import { createHash } from 'node:crypto';
import type { INestApplicationContext } from '@nestjs/common';
import type { CardInput } from '../../../settings/server-card-options.js';

/** One server's card, which is built once. */
export class ServerCardSource {
  #card: ServerCard | undefined;
  #document: CardDocument | undefined;

  constructor(
    readonly settings: ServerSettings,
    readonly identity: ServerIdentity,
    private readonly endpoint: EndpointPath,
  ) {}

  /** Whether the card is served. */
  get isServed(): boolean {
    return this.settings.serverCard !== undefined;
  }

  /** Whether the catalog lists the card. */
  get isInCatalog(): boolean {
    return this.isServed && this.settings.serverCard?.catalog !== false;
  }

  /** The card. Read it once the application is set up. */
  get card(): ServerCard {
    this.#card ??= buildServerCard(this.settings, this.#findEndpoint());
    return this.#card;
  }

  /** The card as a document. */
  get document(): CardDocument {
    this.#document ??= new CardDocument(CARD_MEDIA_TYPE, this.card);
    return this.#document;
  }

  #findEndpoint(): CardEndpoint | undefined {
    const { publicUrl } = this.settings;
    if (publicUrl === undefined) return undefined;
    const { href } = publicUrl;
    const { ssePath, publicSsePath } = this.endpoint;
    return { href, ...(ssePath !== undefined && { sse: new URL(publicSsePath, publicUrl).href }) };
  }
}

/** A public, cacheable document. */
export class CardDocument {
  readonly text: string;
  /** Derived from the content (RFC 9110 §8.8.3). */
  readonly entityTag: string;

  constructor(
    readonly mediaType: string,
    content: object,
  ) {
    this.text = JSON.stringify(content);
    this.entityTag = `"${createHash('sha256').update(this.text).digest('base64url').slice(0, 27)}"`;
  }

  /**
   * Whether the client has the current version.
   *
   * @param header the value of `If-None-Match`
   * @see RFC 9110 §13.1.2
   */
  isKnown(header: string | undefined): boolean {
    if (header === undefined) return false;
    if (header.trim() === '*') return true;
    // Compressing proxies weaken the tag, and it is compared weakly here.
    return header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === this.entityTag);
  }
}

/** A server's description for clients that have not connected yet. */
export interface ServerDescription {
  /** The server key in its application. */
  readonly server: string;
  readonly card: ServerCard;
  /** Whether the application serves the card. */
  readonly isServed: boolean;
  /** Whether the name in reverse-DNS form comes from the settings. Otherwise it comes from the host. */
  readonly isNamed: boolean;
  /** What the server does, even if the description is too long for the card. */
  readonly description: string;
  /** Its process's environment variables. */
  readonly environmentVariables: readonly CardInput[];
}

/**
 * Describes an application's servers, as `nestjs-mcp-cli card` and `nestjs-mcp-cli server-json` do. It does not call,
 * start or send anything.
 *
 * @throws {RangeError} if the application has neither a server from this package nor an authorization server
 * @example
 * const [{ card }] = describeServers(await createApp());
 * await writeFile('server-card.json', JSON.stringify(card));
 */
export function describeServers(app: INestApplicationContext): readonly ServerDescription[] {
  const sources = findProvided<ServerCardSource>(app, ServerCardSource);
  if (sources.length === 0 && findProvided(app, AUTHORIZATION_SERVER_FACTS).length === 0)
    throw new RangeError('The application has no server, because it does not import "McpModule"');
  return sources.map(({ identity, settings, card, isServed }) => ({
    server: identity.server,
    card,
    isServed,
    isNamed: [settings.serverCard?.name, settings.serverInfo.name].includes(card.name),
    description: findDescription(settings),
    environmentVariables: settings.serverCard?.environmentVariables ?? [],
  }));
}
