import type { Check } from '../../../core/doctor/check.interface.js';
import { fault, ok, warning, type Outcome } from '../../../core/doctor/finding.js';
import type { Patient } from '../../../core/doctor/patient.js';

/** A name that can never exist (RFC 6761 §6.4). */
const STRANGER = 'doctor.invalid';

/** Whether a web page can reach the server by way of its reader's browser. */
export const ORIGIN_CHECKS: readonly Check[] = [
  { id: 'origin', run: checkOrigin },
  { id: 'host', run: checkHost },
];

async function checkOrigin(patient: Patient): Promise<Outcome | undefined> {
  if (await patient.isClosed()) return undefined;
  const opening = await patient.selectOpening();
  const { status, result, headers } = await patient.send(opening, {
    headers: { origin: `https://${STRANGER}` },
  });
  if (result === undefined) return ok(`A foreign "Origin" is refused with ${status}`);
  const remedy = 'Refuse every "Origin" that is not listed, with 403';
  if (headers['access-control-allow-origin'] === '*') {
    const found = 'Pages of every origin may call, as CORS says';
    return patient.isLocal
      ? warning(found, 'List the origins: every page can reach this machine so')
      : ok(found);
  }
  const found = 'A request with a foreign "Origin" is served';
  return patient.isLocal ? fault(found, remedy) : warning(found, remedy);
}

/** Elsewhere the host decides which site answers, and says nothing of the server. */
async function checkHost(patient: Patient): Promise<Outcome | undefined> {
  if (!patient.isLocal || patient.url.protocol === 'https:' || (await patient.isClosed())) return undefined;
  const { status, result } = await patient.send(await patient.selectOpening(), {
    headers: { host: STRANGER },
  });
  if (result === undefined) return ok(`A foreign "Host" is refused with ${status}`);
  return fault(
    'A request with a foreign "Host" is served',
    'Refuse it with 403: a page whose name is pointed at this machine gets in (DNS rebinding)',
  );
}
