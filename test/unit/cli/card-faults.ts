import type { Traits } from '../../support/fixture-endpoint.js';
import { answer, type PlantedFault } from './faults.js';

const CARD = {
  $schema: 'https://example.com/card.json',
  name: 'com.example/desk',
  version: '1',
  description: 'A desk',
};

/** Answers for the server card, as everybody may have it. */
function serveCard(card: object, headers: Readonly<Record<string, string>> = {}): Traits {
  const usual = { 'content-type': 'application/mcp-server-card+json', 'access-control-allow-origin': '*' };
  return answer(
    ({ path }) => path === '/mcp/server-card',
    200,
    { ...usual, ...headers },
    JSON.stringify(card),
  );
}

/** Answers for the card and for the catalog of the origin. */
function serveCatalog(catalog: object, headers: Readonly<Record<string, string>> = {}): Traits {
  const card = serveCard(CARD);
  const usual = { 'content-type': 'application/ai-catalog+json', 'access-control-allow-origin': '*' };
  const found = answer(
    ({ path }) => path === '/.well-known/ai-catalog.json',
    200,
    { ...usual, ...headers },
    JSON.stringify(catalog),
  );
  return {
    takeOver: (...request) => (card.takeOver?.(...request) || found.takeOver?.(...request)) === true,
  };
}

const CARD_TYPE = 'application/mcp-server-card+json';
const ENTRY = { identifier: 'urn:air:example.com:desk', type: CARD_TYPE };
const OWN = { ...ENTRY, data: CARD };
const OTHER = { ...ENTRY, url: 'https://other.example.com/mcp/server-card' };

/** Catalogs that name the card of the fixture. */
export const CATALOGS: readonly Traits[] = [
  { specVersion: '1.0', entries: [OTHER, OWN] },
  { entries: [{ type: 'application/a2a-agent-card+json' }, 7, OWN] },
].map((catalog) => serveCatalog(catalog));

/** Catalogs that some clients stumble over. */
export const CATALOG_WARNINGS: readonly PlantedFault[] = [
  {
    what: 'of another type',
    traits: serveCatalog({ entries: [OWN] }, { 'content-type': 'application/json' }),
  },
  {
    what: 'that pages cannot read',
    traits: serveCatalog({ entries: [OWN] }, { 'access-control-allow-origin': 'https://desk.example.com' }),
  },
  { what: 'of other cards', traits: serveCatalog({ entries: [OTHER] }) },
  { what: 'of nothing', traits: serveCatalog({ entries: [] }) },
].map((planted) => ({ ...planted, ids: ['ai-catalog'] }));

/** Catalogs that clients cannot use. */
export const CATALOG_FAULTS: readonly PlantedFault[] = [
  { what: 'a catalog that is no object', traits: serveCatalog([]) },
  { what: 'a catalog without entries', traits: serveCatalog({ specVersion: '1.0' }) },
  { what: 'a catalog with a card that is nowhere', traits: serveCatalog({ entries: [ENTRY] }) },
].map((planted) => ({ ...planted, ids: ['ai-catalog'] }));

/** Server cards that some clients stumble over. */
export const CARD_WARNINGS: readonly PlantedFault[] = [
  {
    what: 'of another type',
    ids: ['server-card'],
    traits: serveCard(CARD, { 'content-type': 'application/json' }),
  },
  {
    what: 'that pages cannot read',
    ids: ['server-card'],
    traits: serveCard(CARD, { 'access-control-allow-origin': 'https://desk.example.com' }),
  },
  {
    what: 'of another URL',
    ids: ['server-card'],
    traits: serveCard({
      ...CARD,
      remotes: [{ type: 'streamable-http', url: 'https://desk.example.com/mcp' }],
    }),
  },
];

/** Server cards that clients cannot use. */
export const CARD_FAULTS: readonly PlantedFault[] = [
  { what: 'no object', traits: serveCard([]) },
  { what: 'no name in reverse-DNS form', traits: serveCard({ ...CARD, name: 'desk' }) },
  { what: 'no version', traits: serveCard({ ...CARD, version: undefined }) },
  { what: 'a long description', traits: serveCard({ ...CARD, description: 'x'.repeat(101) }) },
  { what: 'remotes without URLs', traits: serveCard({ ...CARD, remotes: [{ type: 'sse' }] }) },
].map(({ what, traits }) => ({ what: `a server card with ${what}`, ids: ['server-card'], traits }));
