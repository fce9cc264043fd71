import { examinePatient } from '../../core/doctor/examine-patient.js';
import type { Finding } from '../../core/doctor/finding.js';
import type { TokenAdvice } from '../../core/doctor/patient-options.interface.js';
import { Patient } from '../../core/doctor/patient.js';
import { DOCTOR_NAME } from '../../core/doctor/probe/messages.js';
import { PAGE_CHECKS } from './page-checks.js';
import { createPageWire, type PageSurroundings } from './page-wire.js';

const ADVICE: TokenAdvice = {
  none: 'Log in above, or paste a token',
  bound: 'It is bound to a key ("cnf") that this page does not have: log in above',
};

/**
 * Examines the server as the doctor of the command line does, as far as a page can.
 *
 * @param version that of the package
 * @param signal ends the examination, which rejects then
 */
export async function examineServer(
  surroundings: PageSurroundings,
  version: string,
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  const { endpoint, login, timeoutMs } = surroundings;
  const patient = new Patient(
    {
      url: endpoint,
      clientInfo: { name: DOCTOR_NAME, version },
      token: login.token,
      hasProof: login.isBound,
      timeoutMs,
      headers: {},
      origin: endpoint.origin,
      advice: ADVICE,
    },
    createPageWire(surroundings),
  );
  return (await examinePatient(patient, PAGE_CHECKS, signal)).findings;
}
