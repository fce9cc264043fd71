import { CARD_MEDIA_TYPE } from '../../../../core/protocol/server-card.js';
import type { ServerIdentity } from '../../../settings/mcp.constants.js';
import type { ServerSettings } from '../../../settings/server-settings.js';
import type { EndpointPath } from '../endpoint-path.js';
import { buildServerCard, type CardEndpoint } from './build-server-card.js';
import type { ServerCard } from './server-card.interface.js';
import { CardDocument } from './card-document.js';

/** Gives the card of one server, which is written once. */
export class ServerCardSource {
  #card: ServerCard | undefined;
  #document: CardDocument | undefined;

  constructor(
    readonly settings: ServerSettings,
    readonly identity: ServerIdentity,
    private readonly endpoint: EndpointPath,
  ) {}

  /** Whether everybody may have the card. */
  get isServed(): boolean {
    return this.settings.serverCard !== undefined;
  }

  /** Whether the catalog of the application names it. */
  get isCatalogd(): boolean {
    return this.isServed && this.settings.serverCard?.catalog !== false;
  }

  /** The card; to be asked for once the application is set up. */
  get card(): ServerCard {
    this.#card ??= buildServerCard(this.settings, this.#findEndpoint());
    return this.#card;
  }

  /** The card as it is sent. */
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
