import type { ProbeAnswer } from '../../core/doctor/probe/probe-wire.interface.js';
import { ProbeError } from '../../core/doctor/probe/probe.error.js';
import { parseJsonObject } from '../../core/protocol/parse-json-object.js';
import { buildCardUrl, CARD_MEDIA_TYPE } from '../../core/protocol/server-card.js';
import { sendProbe } from '../doctor/probe/http-probe.js';
import { CardMissingError } from './card-missing.error.js';

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
  const card = parseJsonObject(body);
  if (card === undefined) throw new CardMissingError(`What is at "${url.href}" is no JSON object`, true);
  return card;
}

async function ask(url: URL, timeoutMs: number): Promise<ProbeAnswer> {
  try {
    return await sendProbe(url, { method: 'GET', headers: { accept: CARD_MEDIA_TYPE } }, timeoutMs);
  } catch (cause) {
    if (!(cause instanceof ProbeError)) throw cause;
    throw new CardMissingError(`The server at "${url.origin}" ${cause.reason}`, false, { cause });
  }
}
