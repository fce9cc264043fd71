import { isMediaType } from '../../protocol/headers/http-headers.js';
import { isObject, type JsonObject, parseJsonObject } from '../../protocol/json-rpc.js';
import { buildCardUrl, CARD_MEDIA_TYPE, CATALOG_MEDIA_TYPE } from '../../protocol/server-card.js';
import { addPublicUrl, type Target } from '../target.js';
import { type Check, failure, ok, type Outcome, quote, warning } from '../finding.js';
import type { ProbeResponse } from '../probe/probe-wire.js';

/** How clients discover the server before they connect (SEP-2127). */
export const CARD_CHECKS: readonly Check[] = [
  { id: 'server-card', run: checkCard },
  { id: 'ai-catalog', run: checkCatalog },
];

/** A catalog entry: it contains the card or its URL. */
interface CatalogEntry {
  readonly url?: string;
  readonly data?: JsonObject;
}

const NAME = /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/;
const LONGEST_NAME = 200;
const LONGEST_TEXT = 100;

/** A card is optional. */
async function checkCard(target: Target): Promise<Outcome | undefined> {
  const answer = await target.card();
  if (!isDocument(answer)) return undefined;
  const card = parseJsonObject(answer.body);
  if (card === undefined) {
    return failure(
      'The server card is not a JSON object',
      'Respond with a card, or with 404 if there is none',
    );
  }
  const wrong = findWrongMember(card);
  if (wrong !== undefined)
    return failure(`The server card has an invalid ${wrong}`, 'Compare it with the card schema');
  const closed = judgeOpenness(answer, { what: 'server card', mediaType: CARD_MEDIA_TYPE });
  return closed ?? judgeRemotes(card, target);
}

/** A client that knows only the host finds the card through the origin's catalog. */
async function checkCatalog(target: Target): Promise<Outcome | undefined> {
  const found = await target.card();
  const card = isDocument(found) ? parseJsonObject(found.body) : undefined;
  if (card === undefined) return undefined;
  const answer = await target.catalog();
  if (!isDocument(answer)) {
    return ok(
      'The origin has no server card catalog',
      'To let clients discover the card from the host alone, serve "/.well-known/ai-catalog.json"',
    );
  }
  const entries = parseJsonObject(answer.body)?.['entries'];
  if (!Array.isArray(entries)) {
    return failure(
      'The server card catalog is not a JSON object with "entries"',
      'Respond with a catalog, or with 404 if there is none',
    );
  }
  const closed = judgeOpenness(answer, { what: 'server card catalog', mediaType: CATALOG_MEDIA_TYPE });
  return closed ?? judgeEntries(entries, card, target);
}

/** A catalog may also list other kinds of resources. */
function judgeEntries(entries: readonly unknown[], card: JsonObject, { publicUrl: url }: Target): Outcome {
  const cards = entries.filter((entry) => isObject(entry) && entry['type'] === CARD_MEDIA_TYPE);
  if (!cards.every(isEntry)) {
    return failure(
      'The server card catalog has an entry that cannot be found',
      'Give each entry an "identifier", and a "url" or "data"',
    );
  }
  const urls = new Set([url.href, ...listUrls(card)].map((one) => buildCardUrl(new URL(one)).href));
  const isNamed = cards.some(({ url: place, data }) =>
    data === undefined ? urls.has(readUrl(place)) : data['name'] === card['name'],
  );
  if (isNamed) return ok('The server card catalog lists the server card');
  return warning(
    `The server card catalog lists ${cards.length} server cards, but not the one for this endpoint`,
    `Add ${quote(buildCardUrl(url).href)} to make the server discoverable from its host`,
  );
}

function listUrls({ remotes = [] }: JsonObject): readonly string[] {
  if (!Array.isArray(remotes)) return [];
  return remotes.filter(isRemote).flatMap((remote) => (URL.canParse(remote.url) ? [remote.url] : []));
}

function readUrl(place: string | undefined): string {
  return place !== undefined && URL.canParse(place) ? new URL(place).href : '';
}

function isEntry(entry: unknown): entry is CatalogEntry {
  if (!isObject(entry) || typeof entry['identifier'] !== 'string') return false;
  return typeof entry['url'] === 'string' || isObject(entry['data']);
}

function findWrongMember(card: JsonObject): string | undefined {
  const { name, version, description, title } = card;
  const isName = isText(name, LONGEST_NAME) && NAME.test(name);
  if (!isText(card['$schema'], Infinity)) return '"$schema"';
  if (!isName) return `"name", ${quote(name)}: it must have reverse-DNS form`;
  if (!isText(version, Infinity)) return '"version"';
  if (!isText(description, LONGEST_TEXT))
    return `"description": it must have 1 to ${LONGEST_TEXT} characters`;
  if (title !== undefined && !isText(title, LONGEST_TEXT)) {
    return `"title": it must have 1 to ${LONGEST_TEXT} characters`;
  }
  return undefined;
}

function judgeRemotes({ name, remotes = [] }: JsonObject, target: Target): Outcome {
  const url = target.publicUrl;
  const said = `The server card names ${quote(name)}`;
  const fix = `Add the URL that clients use to the card: ${quote(url.href)}; with this library, set "publicUrl"`;
  if (!Array.isArray(remotes) || !remotes.every(isRemote)) {
    return failure('The server card has invalid "remotes"', 'Give each a "type" and a "url"');
  }
  const urls = remotes.map((remote) => remote.url);
  if (urls.length === 0)
    return ok(
      `${said}, but no URL`,
      `To let clients connect with it, add the URL that they use: ${quote(url.href)}`,
    );
  if (urls.some((one) => URL.canParse(one) && new URL(one).href === url.href)) return ok(said);
  return warning(`${said}, but lists other URLs: ${urls.map(quote).join(', ')}`, addPublicUrl(fix, target));
}

function isRemote(remote: unknown): remote is { readonly url: string } {
  return isObject(remote) && typeof remote['type'] === 'string' && typeof remote['url'] === 'string';
}

function isText(value: unknown, longest: number): value is string {
  return typeof value === 'string' && value !== '' && value.length <= longest;
}

/** Returns whether a response contains a document. A web application may respond to unknown paths with a page. */
function isDocument(answer: ProbeResponse | undefined): answer is ProbeResponse {
  return answer?.status === 200 && !isMediaType(answer.headers['content-type'], ['text/html']);
}

/** Finds what prevents clients from reading a public document. */
function judgeOpenness(
  { headers }: ProbeResponse,
  { what, mediaType }: { readonly what: string; readonly mediaType: string },
): Outcome | undefined {
  if (!isMediaType(headers['content-type'], [mediaType])) {
    return warning(`The ${what} is sent as ${quote(headers['content-type'])}`, `Send "${mediaType}"`);
  }
  if (headers['access-control-allow-origin'] === '*') return undefined;
  return warning(
    `Pages from other origins cannot read the ${what}`,
    'Send "Access-Control-Allow-Origin: *": the document contains no secrets',
  );
}
