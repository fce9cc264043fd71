import type { Check } from '../check.interface.js';
import { failure, ok, warning, type Outcome } from '../finding.js';
import type { Target } from '../target.js';
import { buildInitialized, buildPing } from '../probe/messages.js';

/** Two processes behind a balancer that takes turns are found out by this many requests. */
const PINGS = 4;

/** How sessions begin and live. */
export const SESSION_CHECKS: readonly Check[] = [
  { id: 'session-id', run: checkId },
  { id: 'session', run: checkUse },
  { id: 'unknown-session', run: checkUnknown },
];

/** How sessions end; after this there is none. */
export const SESSION_END_CHECKS: readonly Check[] = [{ id: 'session-end', run: checkEnd }];

async function checkId(target: Target): Promise<Outcome | undefined> {
  const { headers, result } = await target.initialize();
  if (result === undefined) return undefined;
  if (headers['mcp-session-id'] === undefined) return ok('The server keeps no sessions');
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
      return failure('"ping" in the session is answered without JSON-RPC', 'Answer it');
    if (![undefined, session.id].includes(headers['mcp-session-id'])) {
      return failure('A request of the session is answered with another "Mcp-Session-Id"', 'Keep to one id');
    }
  }
  if (confirmation.status === 202) return ok(`${PINGS} requests of the session are answered`);
  return warning(
    `A notification is answered with ${confirmation.status}`,
    'Answer notifications with 202, no body',
  );
}

function judgeLoss(status: number): Outcome {
  return failure(
    `A request of the session is answered with ${status}`,
    'Let "Mcp-Session-Id" pass the proxy; give several processes the same "secret" and "cluster", or send requests of a session to the process that opened it',
  );
}

async function checkUnknown(target: Target): Promise<Outcome | undefined> {
  const session = await target.session();
  if (session === undefined) return undefined;
  const { status } = await target.send(buildPing({ ...session.headers, 'mcp-session-id': buildUnknownId() }));
  if (status === 404) return ok('A session that is not known is answered with 404');
  return failure(
    `A session that is not known is answered with ${status}`,
    'Answer 404: without it clients do not begin again',
  );
}

/** In a browser only secure contexts make UUIDs. */
function buildUnknownId(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join('-');
}

async function checkEnd(target: Target): Promise<Outcome | undefined> {
  const session = await target.session();
  if (session === undefined) return undefined;
  const { status } = await target.request({ method: 'DELETE', headers: session.headers });
  if (status === 405) return ok('Clients cannot end sessions: they stay until the server ends them');
  if (status < 200 || status > 299) {
    return failure(`DELETE is answered with ${status}`, 'Let DELETE pass the proxy, or answer 405');
  }
  const after = await target.send(buildPing(session.headers));
  if (after.status === 404) return ok('DELETE ends the session');
  return failure(
    `After DELETE the session is answered with ${after.status}`,
    'Forget the session, and answer 404; several processes have to reach each other for that',
  );
}
