import { LONGEST_BODY_BYTES, type ProbeAnswer } from '../../lib/core/doctor/probe/probe-wire.interface.js';
import { ProbeError } from '../../lib/core/doctor/probe/probe.error.js';
import { parseJsonObject } from '../../lib/core/protocol/parse-json-object.js';
import { buildCardUrl, CARD_MEDIA_TYPE } from '../../lib/core/protocol/server-card.js';
import { sendProbe } from '../doctor/probe/http-probe.js';
import { addRemedy } from '../server/connection-remedies.js';
import type { GivenHeaders } from '../server/parse-header.js';
import { CardMissingError } from './card-missing.error.js';

/** How a server is asked for its card. */
export interface Asking {
  /** Sent along, such as what a gateway before the server wants. */
  readonly headers: GivenHeaders;
  readonly timeoutMs: number;
}

/**
 * Fetches the card of a running server, as anybody would.
 *
 * @throws {CardMissingError} if it has none, or cannot be reached
 */
export async function fetchCard(endpoint: URL, asking: Asking): Promise<object> {
  const url = buildCardUrl(endpoint);
  const { status, body, isComplete } = await ask(url, asking);
  if (status !== 200) {
    throw new CardMissingError(`There is no server card at "${url.href}": it answers ${status}`, true);
  }
  if (!isComplete) {
    const bounds = `within ${asking.timeoutMs} ms and ${LONGEST_BODY_BYTES} bytes`;
    throw new CardMissingError(`The server card at "${url.href}" does not end ${bounds}`, true);
  }
  const card = parseJsonObject(body);
  if (card === undefined) throw new CardMissingError(`What is at "${url.href}" is no JSON object`, true);
  return card;
}

async function ask(url: URL, { headers, timeoutMs }: Asking): Promise<ProbeAnswer> {
  try {
    return await sendProbe(
      url,
      { method: 'GET', headers: { accept: CARD_MEDIA_TYPE, ...headers } },
      timeoutMs,
    );
  } catch (cause) {
    if (!(cause instanceof ProbeError)) throw cause;
    const message = addRemedy(`The server at "${url.origin}" ${cause.reason}`, cause);
    throw new CardMissingError(message, false, { cause });
  }
}
