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

/** The headers that browser clients always send and that require permission. */
const ALWAYS_SENT = ['authorization', 'content-type', 'mcp-protocol-version'];

/** The headers that they also send in a session. */
const SENT_IN_SESSIONS = ['mcp-session-id'];

/** The headers that they also send without initialization (MCP 2026-07-28 basic/transports). */
const SENT_PER_REQUEST = ['mcp-method', 'mcp-name'];

/** The header that resumes a broken stream if its events have ids (HTML §9.2.4). */
const SENT_TO_RESUME = ['last-event-id'];

/** The header that they also send if tokens are bound to a key (RFC 9449 §4.1). */
const SENT_TO_PROVE = ['dpop'];

/** Whether browser clients may call the server, and can read everything they need. */
export const CORS_CHECKS: readonly Check[] = [
  { id: 'cors-preflight', run: checkPreflight },
  { id: 'cors-exposed', run: checkExposed },
];

/** Whether they can discover the authorization server. A page on the endpoint's origin cannot check this. */
export const METADATA_CORS_CHECKS: readonly Check[] = [{ id: 'metadata-cors', run: checkMetadata }];

async function checkMetadata(target: Target): Promise<Outcome | undefined> {
  const resource = await target.authorization.resource();
  if (resource === undefined) return undefined;
  const { 'access-control-allow-origin': allowed } = resource.headers;
  if (allowed === '*' || allowed === target.options.origin) return ok('Pages can read the metadata');
  return warning('Pages cannot read the metadata', 'Send it with "Access-Control-Allow-Origin: *"');
}

async function checkPreflight(target: Target): Promise<Outcome> {
  const { origin } = target.options;
  const sent = await selectSent(target);
  const answer = await sendPreflight(target, sent);
  if (!allows(answer, origin)) {
    const found = `Pages from ${quote(origin)} may not call the server (preflight: ${answer.status})`;
    return ok(
      found,
      'To support browser clients, set the option "cors", and respond to preflights before tokens are checked',
    );
  }
  if (answer.status < 200 || answer.status > 299) {
    return failure(
      `The preflight returns ${answer.status}`,
      'Respond with 204: browsers accept no other outcome',
    );
  }
  const missing = sent.filter((name) => !allowsHeader(answer, name));
  if (missing.length === 0) return ok(`Pages from ${quote(origin)} may call the server`);
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
      `The preflight allows calls from ${quote(origin)}, but pages there cannot read the response (${answer.status})`,
      'Send "Access-Control-Allow-Origin" with every response, including errors',
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

/**
 * Selects every header that the supported revisions need, because some servers allow only the headers that a
 * preflight names.
 */
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

/** The wildcard does not cover "Authorization" (Fetch Standard §3.2.4). */
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
