import type { Check } from '../check.interface.js';
import { failure, ok, warning, type Outcome } from '../finding.js';
import type { Target } from '../target.js';
import { buildInitialized, buildPing } from '../probe/messages.js';

/** Enough requests to reveal two processes behind a round-robin load balancer. */
const PINGS = 4;

/** How sessions begin and continue. */
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
    '"Mcp-Session-Id" has characters outside of visible ASCII',
    'Use a UUID or base64url: clients cannot send it back',
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
        'A response in the session has another "Mcp-Session-Id"',
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
    'Remove the session and respond with 404; several processes must share sessions for that',
  );
}
