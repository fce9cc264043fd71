import type { Traits } from '../../support/fixture-endpoint.js';
import { answer, type PlantedFault } from './faults.js';

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

const CARD = {
  $schema: 'https://example.com/card.json',
  name: 'com.example/desk',
  version: '1',
  description: 'A desk',
};

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
