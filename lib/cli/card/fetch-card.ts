import { isObject } from '../../core/protocol/json-rpc.js';
import { sendProbe, type ProbeAnswer } from '../doctor/probe/http-probe.js';
import { ProbeError } from '../doctor/probe/probe.error.js';
import { CardMissingError } from './card-missing.error.js';

/** The type of a server card (SEP-2127). */
export const CARD_MEDIA_TYPE = 'application/mcp-server-card+json';

/** Gives the URL of the card of an endpoint. */
export function buildCardUrl(endpoint: URL): URL {
  const url = new URL(endpoint);
  url.pathname = `${url.pathname.replace(/\/$/, '')}/server-card`;
  url.search = '';
  return url;
}

/** The type of the catalog that names the cards of an origin. */
export const CATALOG_MEDIA_TYPE = 'application/ai-catalog+json';

/** Gives the URL of the catalog of an endpoint's origin. */
export function buildCatalogUrl(endpoint: URL): URL {
  return new URL('/.well-known/ai-catalog.json', endpoint);
}

/**
 * Fetches the card of a running server, as anybody would.
 *
 * @throws {CardMissingError} if it has none, or cannot be reached
 */
export async function fetchCard(endpoint: URL, timeoutMs: number): Promise<object> {
  const url = buildCardUrl(endpoint);
  const { status, body } = await ask(url, timeoutMs);
  if (status !== 200) {
    throw new CardMissingError(`There is no server card at "${url.href}": it answers ${status}`, true);
  }
  const card = parseCard(body);
  if (card === undefined) throw new CardMissingError(`What is at "${url.href}" is no JSON object`, true);
  return card;
}

/** Reads the text of a card; nothing if it is no JSON object. */
export function parseCard(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const card: unknown = JSON.parse(text);
    return isObject(card) ? card : undefined;
  } catch {
    return undefined;
  }
}

async function ask(url: URL, timeoutMs: number): Promise<ProbeAnswer> {
  try {
    return await sendProbe(url, { method: 'GET', headers: { accept: CARD_MEDIA_TYPE } }, timeoutMs);
  } catch (cause) {
    if (!(cause instanceof ProbeError)) throw cause;
    throw new CardMissingError(`The server at "${url.origin}" ${cause.reason}`, false, { cause });
  }
}
