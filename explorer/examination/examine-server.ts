import { examineTarget } from '../../lib/core/doctor/examine-target.js';
import type { Finding } from '../../lib/core/doctor/finding.js';
import { Target, type TokenAdvice } from '../../lib/core/doctor/target.js';
import { DOCTOR_NAME } from '../../lib/core/doctor/probe/messages.js';
import { PAGE_CHECKS } from './page-checks.js';
import { createPageWire, type PageContext } from './page-wire.js';

const ADVICE: TokenAdvice = {
  none: 'Log in above, or paste a token',
  bound: 'It is bound to a key ("cnf") that this page does not have: log in above',
};

/** The advice for a server without a login. */
const WITHOUT_LOGIN: TokenAdvice = { ...ADVICE, none: 'Paste the token above' };

/**
 * Examines the server with the checks of `nestjs-mcp-cli doctor` that a page can run.
 *
 * @param version the package version
 * @param signal ends the examination, which then rejects
 */
export async function examineServer(
  surroundings: PageContext,
  version: string,
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  const { endpoint, issuers, login, timeoutMs } = surroundings;
  const target = new Target(
    {
      url: endpoint,
      clientInfo: { name: DOCTOR_NAME, version },
      token: login.token,
      hasProof: login.isBound,
      timeoutMs,
      headers: {},
      origin: endpoint.origin,
      advice: issuers.length > 0 ? ADVICE : WITHOUT_LOGIN,
    },
    createPageWire(surroundings),
  );
  return (await examineTarget(target, PAGE_CHECKS, signal)).findings;
}
