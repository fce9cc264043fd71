import { type Check, failure, list, ok, type Outcome, quote, warning } from '../finding.js';
import { buildInitialized, buildPing, NEWEST_PER_REQUEST_VERSION } from '../probe/messages.js';
import type { Handshake, McpResponse, Target } from '../target.js';
import { isObject } from '../../protocol/json-rpc.js';

const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** The supported protocol revisions. */
export const REVISION_CHECKS: readonly Check[] = [
  { id: 'discover', run: checkDiscovery },
  { id: 'handshake', run: checkHandshakes },
];

async function checkDiscovery(target: Target): Promise<Outcome | undefined> {
  if (await target.isClosed()) return undefined;
  const { result, ...response } = await target.discovery();
  if (result === undefined) return judgeSilence(target, response);
  const { supportedVersions: versions } = result;
  if (!Array.isArray(versions) || !versions.includes(NEWEST_PER_REQUEST_VERSION)) {
    return failure(
      `"server/discover" does not list ${NEWEST_PER_REQUEST_VERSION} in "supportedVersions"`,
      'List every version that is supported without a handshake',
    );
  }
  if (!isObject(result['capabilities'])) {
    return failure('"server/discover" returns no "capabilities"', 'Return an object, which may be empty');
  }
  return ok(
    `${NEWEST_PER_REQUEST_VERSION} is supported; "server/discover" lists ${list(versions.map(String))}`,
  );
}

/** Older servers do not support it, which is not a defect. */
async function judgeSilence(
  target: Target,
  { status, error, response }: Omit<McpResponse, 'result'>,
): Promise<Outcome> {
  if ((await target.initialize()).result === undefined) {
    return failure('Neither "server/discover" nor "initialize" returns a result', 'Check the server log');
  }
  if (status >= 500 || (response === undefined && status === 200)) {
    return warning(`"server/discover" returns ${status} and no JSON-RPC`, 'Respond with a JSON-RPC error');
  }
  const found = `${NEWEST_PER_REQUEST_VERSION} is not supported (${status}, ${describe(error)})`;
  return ok(`${found}: its clients fall back to the handshake`);
}

async function checkHandshakes(target: Target): Promise<Outcome | undefined> {
  if (await target.isClosed()) return undefined;
  const handshakes = await target.handshakes();
  if (handshakes.every(({ response }) => response.result === undefined))
    return judgeRefusal(target, handshakes);
  const broken = handshakes.filter(({ response }) => response.status !== 200 || !isCounter(response));
  const found = handshakes
    .map(({ requested, response }) => `${requested} -> ${describeCounter(response)}`)
    .join(', ');
  if (broken.length === 0) return ok(found);
  return failure(
    found,
    'Respond to "initialize" with 200 and "protocolVersion": the requested version, or the newest supported one',
  );
}

async function judgeRefusal(target: Target, [newest]: readonly Handshake[]): Promise<Outcome | undefined> {
  const { status = 0, error } = newest?.response ?? {};
  if ((await target.discovery()).result === undefined) {
    const fix = status >= 500 ? 'Check the server log for the reason' : 'Follow the error message';
    return failure(`"initialize" is rejected with ${status}, ${describe(error)}`, fix);
  }
  return ok(
    'No revision with a handshake is supported',
    'To support clients older than 2026-07-28, enable a revision with a handshake',
  );
}

function isCounter({ result }: McpResponse): boolean {
  const version = result?.['protocolVersion'];
  return typeof version === 'string' && DATE.test(version);
}

function describeCounter(response: McpResponse): string {
  if (response.result === undefined) return `${response.status}, ${describe(response.error)}`;
  const version = response.result['protocolVersion'];
  return isCounter(response) ? String(version) : `no version (${quote(version)})`;
}

function describe(error: McpResponse['error']): string {
  return error === undefined
    ? 'no JSON-RPC'
    : `${String(error['code']).slice(0, 12)} ${quote(error['message'])}`;
}

/** Enough requests to reveal two processes behind a round-robin load balancer. */
const PINGS = 4;

/** How sessions start and continue. */
export const SESSION_CHECKS: readonly Check[] = [
  { id: 'session-id', run: checkId },
  { id: 'session', run: checkUse },
  { id: 'unknown-session', run: checkUnknown },
];

/** How sessions end; this check ends the session. */
export const SESSION_END_CHECKS: readonly Check[] = [{ id: 'session-end', run: checkEnd }];

async function checkId(target: Target): Promise<Outcome | undefined> {
  const { headers, result } = await target.initialize();
  if (result === undefined) return undefined;
  if (headers['mcp-session-id'] === undefined) return ok('The server has no sessions');
  if ((await target.session()) !== undefined) return ok('"Mcp-Session-Id" is visible ASCII');
  return failure(
    '"Mcp-Session-Id" contains characters other than visible ASCII',
    'Use a UUID or base64url: clients cannot send other characters back',
  );
}

async function checkUse(target: Target): Promise<Outcome | undefined> {
  const session = await target.session();
  if (session === undefined) return undefined;
  const confirmation = await target.send(buildInitialized(session.headers));
  if (confirmation.status >= 400) return judgeLoss(confirmation.status);
  for (let count = 0; count < PINGS; count++) {
    const { status, response, headers } = await target.send(buildPing(session.headers));
    if (status >= 400) return judgeLoss(status);
    if (response === undefined)
      return failure('"ping" in the session returns no JSON-RPC', 'Respond with an empty result');
    if (![undefined, session.id].includes(headers['mcp-session-id'])) {
      return failure(
        'A response in the session has a different "Mcp-Session-Id"',
        'Use one id for the whole session',
      );
    }
  }
  if (confirmation.status === 202) return ok(`The server responds to ${PINGS} requests in the session`);
  return warning(
    `A notification returns ${confirmation.status}`,
    'Respond to notifications with 202 and no body',
  );
}

function judgeLoss(status: number): Outcome {
  return failure(
    `A request in the session returns ${status}`,
    'Have the proxy forward "Mcp-Session-Id"; give all processes the same "secret" and "cluster", or route each session to the process that opened it',
  );
}

async function checkUnknown(target: Target): Promise<Outcome | undefined> {
  const session = await target.session();
  if (session === undefined) return undefined;
  const { status } = await target.send(buildPing({ ...session.headers, 'mcp-session-id': buildUnknownId() }));
  if (status === 404) return ok('An unknown session returns 404');
  return failure(
    `An unknown session returns ${status}`,
    'Respond with 404: otherwise clients do not start a new session',
  );
}

/** In browsers, only secure contexts can generate UUIDs. */
function buildUnknownId(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join('-');
}

async function checkEnd(target: Target): Promise<Outcome | undefined> {
  const session = await target.session();
  if (session === undefined) return undefined;
  const { status } = await target.request({ method: 'DELETE', headers: session.headers });
  if (status === 405) return ok('Clients cannot end sessions: they last until the server ends them');
  if (status < 200 || status > 299) {
    return failure(`DELETE returns ${status}`, 'Have the proxy forward DELETE, or respond with 405');
  }
  const after = await target.send(buildPing(session.headers));
  if (after.status === 404) return ok('DELETE ends the session');
  return failure(
    `After DELETE, the session still returns ${after.status}`,
    'Remove the session and respond with 404; if there are several processes, have them share sessions',
  );
}
