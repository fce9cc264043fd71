import { type Check, failure, ok, type Outcome, quote, warning } from '../finding.js';
import type { Target } from '../target.js';
import { CLOCK_TOLERANCE_SECONDS } from '../probe/probe-wire.js';

/** Whether the clocks of the token issuers and the validating server agree. */
export const CLOCK_CHECKS: readonly Check[] = [{ id: 'clock', run: checkClock }];

async function checkClock(target: Target): Promise<Outcome | undefined> {
  const { aheadSeconds } = await target.initializeAnonymously();
  if (aheadSeconds === undefined) return undefined;
  const servers = await target.authorization.servers();
  const issuers = servers.filter(showsClock);
  for (const server of issuers) {
    const difference = aheadSeconds - server.aheadSeconds;
    if (isTolerable(difference)) continue;
    return failure(
      `The server clock is ${describe(difference)} the clock at ${quote(server.issuer)}`,
      'Synchronize both with NTP: otherwise the server treats fresh tokens as expired or not yet valid, or expired ones as valid',
    );
  }
  if (isTolerable(aheadSeconds)) {
    return ok(
      issuers.length === 0
        ? 'Agrees with the clock on this machine'
        : 'Agrees with the clocks on this machine and at the issuers',
    );
  }
  return warning(
    `The server clock is ${describe(aheadSeconds)} the clock on this machine`,
    'Synchronize the wrong one with NTP: tokens are validated against the server clock',
  );
}

function showsClock<Server extends { readonly aheadSeconds?: number | undefined }>(
  server: Server,
): server is Server & { readonly aheadSeconds: number } {
  return server.aheadSeconds !== undefined;
}

function isTolerable(seconds: number): boolean {
  return Math.abs(seconds) <= CLOCK_TOLERANCE_SECONDS;
}

function describe(seconds: number): string {
  return `${Math.abs(seconds)} seconds ${seconds > 0 ? 'ahead of' : 'behind'}`;
}
