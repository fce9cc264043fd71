import { type Check, failure, ok, type Outcome, warning } from '../../../lib/core/doctor/finding.js';
import type { Target } from '../../../lib/core/doctor/target.js';

/** A name that never resolves (RFC 6761 §6.4). */
const FOREIGN_HOST = 'doctor.invalid';

/** Whether a web page can reach the server through the browser of the person who opens it. */
export const ORIGIN_CHECKS: readonly Check[] = [
  { id: 'origin', run: checkOrigin },
  { id: 'host', run: checkHost },
];

async function checkOrigin(target: Target): Promise<Outcome | undefined> {
  if (await target.isClosed()) return undefined;
  const opening = await target.selectOpening();
  const { status, result, headers } = await target.send(opening, {
    headers: { origin: `https://${FOREIGN_HOST}` },
  });
  if (result === undefined) return ok(`A foreign "Origin" is rejected with ${status}`);
  const fix = 'Reject every "Origin" that is not listed with 403';
  if (headers['access-control-allow-origin'] === '*') {
    const found = 'CORS allows pages from every origin to call the server';
    return target.isLocal
      ? warning(found, 'List the allowed origins: otherwise any page can call the servers on this machine')
      : ok(found);
  }
  const found = 'A request with a foreign "Origin" is accepted';
  return target.isLocal ? failure(found, fix) : warning(found, fix);
}

/** On other machines, a proxy may route requests to another site, so the response reveals nothing about the server. */
async function checkHost(target: Target): Promise<Outcome | undefined> {
  if (!target.isLocal || target.url.protocol === 'https:' || (await target.isClosed())) return undefined;
  const { status, result } = await target.send(await target.selectOpening(), {
    headers: { host: FOREIGN_HOST },
  });
  if (result === undefined) return ok(`A foreign "Host" is rejected with ${status}`);
  return failure(
    'A request with a foreign "Host" is accepted',
    'Reject it with 403: otherwise a page whose name resolves to this machine can call the server (DNS rebinding)',
  );
}
