import { isObject } from '../../../core/protocol/json-rpc.js';
import { buildCardUrl, CARD_MEDIA_TYPE, parseCard } from '../../card/fetch-card.js';
import type { Check } from '../check.interface.js';
import { fault, ok, warning, type Outcome } from '../finding.js';
import type { Patient } from '../patient.js';
import { sendProbe } from '../probe/http-probe.js';
import { ProbeError } from '../probe/probe.error.js';
import { quote } from '../quote.js';

/** By what clients find the server before they connect (SEP-2127). */
export const CARD_CHECKS: readonly Check[] = [{ id: 'server-card', run: checkCard }];

type Card = Readonly<Record<string, unknown>>;

const NAME = /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/;
const LONGEST_NAME = 200;
const LONGEST_TEXT = 100;

/** No server needs a card. */
async function checkCard(patient: Patient): Promise<Outcome | undefined> {
  const answer = await askForCard(patient);
  // Whatever answers for unknown paths may answer here: only the type makes a card of it.
  const isCard = answer?.status === 200 && readType(answer.headers['content-type']) !== 'text/html';
  if (!isCard) return undefined;
  const card = parseCard(answer.body);
  if (card === undefined) {
    return fault('The server card is no JSON object', 'Answer with a card, or with 404 if there is none');
  }
  const wrong = findWrongMember(card);
  if (wrong !== undefined) return fault(`The server card has a wrong ${wrong}`, 'See the schema of the card');
  if (readType(answer.headers['content-type']) !== CARD_MEDIA_TYPE) {
    return warning(
      `The server card comes as ${quote(answer.headers['content-type'])}`,
      `Send "${CARD_MEDIA_TYPE}"`,
    );
  }
  if (answer.headers['access-control-allow-origin'] !== '*') {
    return warning(
      'Pages of other origins cannot read the server card',
      'Send "Access-Control-Allow-Origin: *": it holds nothing secret',
    );
  }
  return judgeRemotes(card, patient);
}

/** A server without a card may answer nothing of the kind. */
async function askForCard({ url, options }: Patient) {
  try {
    // A gateway may ask for headers; a card is for those who have no token.
    const { authorization: _, ...given } = options.headers;
    const headers = { ...given, accept: CARD_MEDIA_TYPE, origin: options.origin };
    const probe = { method: 'GET', headers };
    return await sendProbe(buildCardUrl(url), probe, options.timeoutMs);
  } catch (error) {
    if (error instanceof ProbeError) return undefined;
    throw error;
  }
}

function findWrongMember(card: Card): string | undefined {
  const { name, version, description, title } = card;
  const isName = isText(name, LONGEST_NAME) && NAME.test(name);
  if (!isText(card['$schema'], Infinity)) return '"$schema"';
  if (!isName) return `"name", ${quote(name)}: it has reverse-DNS form`;
  if (!isText(version, Infinity)) return '"version"';
  if (!isText(description, LONGEST_TEXT)) return `"description": it has 1 to ${LONGEST_TEXT} characters`;
  if (title !== undefined && !isText(title, LONGEST_TEXT)) {
    return `"title": it has 1 to ${LONGEST_TEXT} characters`;
  }
  return undefined;
}

function judgeRemotes({ name, remotes = [] }: Card, { url }: Patient): Outcome {
  const said = `The server card names ${quote(name)}`;
  const remedy = `Let the card name the URL that clients use: ${quote(url.href)}; with this library, set "publicUrl"`;
  if (!Array.isArray(remotes) || !remotes.every(isRemote)) {
    return fault('The server card has wrong "remotes"', 'Let each have a "type" and a "url"');
  }
  const urls = remotes.map((remote) => remote.url);
  if (urls.length === 0) return ok(`${said}, and no URL`, remedy);
  if (urls.some((one) => URL.canParse(one) && new URL(one).href === url.href)) return ok(said);
  return warning(`${said}, and other URLs than this one: ${urls.map(quote).join(', ')}`, remedy);
}

function isRemote(remote: unknown): remote is { readonly url: string } {
  return isObject(remote) && typeof remote['type'] === 'string' && typeof remote['url'] === 'string';
}

function isText(value: unknown, longest: number): value is string {
  return typeof value === 'string' && value !== '' && value.length <= longest;
}

function readType(header: string | undefined): string | undefined {
  return header?.split(';')[0]?.trim().toLowerCase();
}
