import { buildCardUrl, CARD_MEDIA_TYPE } from '../../../../core/protocol/server-card.js';
import { findPublisher } from './build-card-name.js';
import type { ServerCardSource } from './server-card-source.js';

/** An entry of the catalog; the card itself stands in it if nobody knows its URL. */
type CatalogEntry = { readonly identifier: string; readonly type: string } & (
  { readonly url: string } | { readonly data: object }
);

/**
 * Builds the catalog of the servers of an application.
 *
 * @see experimental-ext-server-card, docs/discovery.md; the specification "AI Catalog" 1.0
 */
export function buildAiCatalog(sources: readonly ServerCardSource[]): object {
  const taken = new Set<string>();
  const entries = sources.map((source): CatalogEntry => {
    const identifier = formatIdentifier(source, taken);
    taken.add(identifier);
    const { publicUrl } = source.settings;
    const place = publicUrl ? { url: buildCardUrl(publicUrl).href } : { data: source.card };
    return { identifier, type: CARD_MEDIA_TYPE, ...place };
  });
  return { specVersion: '1.0', entries };
}

/** Servers of one name differ by their keys. */
function formatIdentifier({ card, identity }: ServerCardSource, taken: ReadonlySet<string>): string {
  const [, name = ''] = card.name.split('/');
  const identifier = `urn:air:${findPublisher(card.name)}:mcp:${name}`;
  return taken.has(identifier) ? `${identifier}-${identity.server}` : identifier;
}
