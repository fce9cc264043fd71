import {
  type Check,
  failure,
  list,
  ok,
  type Outcome,
  quote,
  warning,
} from '../../../lib/core/doctor/finding.js';
import type { Target } from '../../../lib/core/doctor/target.js';
import { ProbeError, type ProbeResponse } from '../../../lib/core/doctor/probe/probe-wire.js';

/** What clients in a browser send, beyond what needs no permission. */
const ALWAYS_SENT = ['authorization', 'content-type', 'mcp-protocol-version'];

/** What they send besides if a handshake has opened a session. */
const SENT_IN_SESSIONS = ['mcp-session-id'];

/** What they send besides if there is no handshake (MCP 2026-07-28 basic/transports). */
const SENT_PER_REQUEST = ['mcp-method', 'mcp-name'];

/** What they send to take up a stream if it was cut, once one of its events had an id (HTML §9.2.4). */
const SENT_TO_RESUME = ['last-event-id'];

/** What they send besides if tokens are bound to a key (RFC 9449 §4.1). */
const SENT_TO_PROVE = ['dpop'];

/** Whether clients in a browser are served, and then well. */
export const CORS_CHECKS: readonly Check[] = [
  { id: 'cors-preflight', run: checkPreflight },
  { id: 'cors-exposed', run: checkExposed },
];

/** Whether they find out who gives tokens: a page of the endpoint's own origin cannot tell. */
export const METADATA_CORS_CHECKS: readonly Check[] = [{ id: 'metadata-cors', run: checkMetadata }];

async function checkMetadata(target: Target): Promise<Outcome | undefined> {
  const resource = await target.authorization.resource();
  if (resource === undefined) return undefined;
  const { 'access-control-allow-origin': allowed } = resource.headers;
  if (allowed === '*' || allowed === target.options.origin) return ok('Pages can read the metadata');
  return warning('Pages cannot read the metadata', 'Send "Access-Control-Allow-Origin: *" with it');
}

async function checkPreflight(target: Target): Promise<Outcome> {
  const { origin } = target.options;
  const sent = await selectSent(target);
  const answer = await sendPreflight(target, sent);
  if (!allows(answer, origin)) {
    const found = `Pages of ${quote(origin)} are not served (preflight: ${answer.status})`;
    return ok(
      found,
      'If clients in a browser are to call, set the option "cors", and answer preflights before a token is asked for',
    );
  }
  if (answer.status < 200 || answer.status > 299) {
    return failure(
      `The preflight is answered with ${answer.status}`,
      'Answer it with 204: no browser goes on otherwise',
    );
  }
  const missing = sent.filter((name) => !allowsHeader(answer, name));
  if (missing.length === 0) return ok(`Pages of ${quote(origin)} may call`);
  return failure(
    `The preflight does not allow ${list(missing)}`,
    'List them in "Access-Control-Allow-Headers"',
  );
}

async function checkExposed(target: Target): Promise<Outcome | undefined> {
  const { origin } = target.options;
  const initialized = await target.initialize();
  if (!allows(await sendPreflight(target, await selectSent(target)), origin)) return undefined;
  const answer = await target.send(await target.selectOpening(), { headers: { origin } });
  if (!allows(answer, origin)) {
    return failure(
      `The preflight lets ${quote(origin)} call, and the answer (${answer.status}) does not let it read`,
      'Send "Access-Control-Allow-Origin" with every answer, errors too',
    );
  }
  const exposed = readNames(answer.headers['access-control-expose-headers']);
  const read = ['mcp-session-id', 'www-authenticate', 'dpop-nonce'].filter(
    (name) => initialized.headers[name] !== undefined,
  );
  const missing = read.filter((name) => !exposed.includes(name) && !exposed.includes('*'));
  if (missing.length === 0) return ok('Pages can read the headers that clients need');
  return failure(`Pages cannot read ${list(missing)}`, 'List them in "Access-Control-Expose-Headers"');
}

/** Some servers allow what they are asked for, so that all is asked for that the revisions which are served need. */
async function selectSent(target: Target): Promise<readonly string[]> {
  const { headers } = await target.initialize();
  const discovery = await target.discovery();
  const stream = await target.stream();
  const hasIds = stream !== undefined && !(stream instanceof ProbeError) && /^id:/m.test(stream.body);
  return [
    ...ALWAYS_SENT,
    ...(headers['mcp-session-id'] === undefined ? [] : SENT_IN_SESSIONS),
    ...(discovery.result === undefined ? [] : SENT_PER_REQUEST),
    ...(hasIds ? SENT_TO_RESUME : []),
    ...((await target.authorization.acceptsProofs()) ? SENT_TO_PROVE : []),
  ];
}

function sendPreflight(target: Target, sent: readonly string[]): Promise<ProbeResponse> {
  const headers = {
    origin: target.options.origin,
    'access-control-request-method': 'POST',
    'access-control-request-headers': sent.join(','),
  };
  return target.request({ method: 'OPTIONS', headers }, true);
}

function allows({ headers }: ProbeResponse, origin: string): boolean {
  const { 'access-control-allow-origin': allowed } = headers;
  return allowed === '*' || allowed === origin;
}

/** The asterisk does not stand for "Authorization" (Fetch Standard §3.2.4). */
function allowsHeader({ headers }: ProbeResponse, name: string): boolean {
  const names = readNames(headers['access-control-allow-headers']);
  return names.includes(name) || (name !== 'authorization' && names.includes('*'));
}

function readNames(header: string | undefined): readonly string[] {
  return (header ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim());
}
