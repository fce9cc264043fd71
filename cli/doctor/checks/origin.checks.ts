import { type Check, failure, ok, type Outcome, warning } from '../../../lib/core/doctor/finding.js';
import type { Target } from '../../../lib/core/doctor/target.js';

/** A name that can never exist (RFC 6761 §6.4). */
const FOREIGN_HOST = 'doctor.invalid';

/** Whether a web page can reach the server by way of its reader's browser. */
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
  if (result === undefined) return ok(`A foreign "Origin" is refused with ${status}`);
  const fix = 'Refuse every "Origin" that is not listed, with 403';
  if (headers['access-control-allow-origin'] === '*') {
    const found = 'Pages of every origin may call, as CORS says';
    return target.isLocal
      ? warning(found, 'List the origins: every page can reach this machine so')
      : ok(found);
  }
  const found = 'A request with a foreign "Origin" is served';
  return target.isLocal ? failure(found, fix) : warning(found, fix);
}

/** Elsewhere the host decides which site answers, and says nothing of the server. */
async function checkHost(target: Target): Promise<Outcome | undefined> {
  if (!target.isLocal || target.url.protocol === 'https:' || (await target.isClosed())) return undefined;
  const { status, result } = await target.send(await target.selectOpening(), {
    headers: { host: FOREIGN_HOST },
  });
  if (result === undefined) return ok(`A foreign "Host" is refused with ${status}`);
  return failure(
    'A request with a foreign "Host" is served',
    'Refuse it with 403: a page whose name is pointed at this machine gets in (DNS rebinding)',
  );
}
