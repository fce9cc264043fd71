import { maskSecret } from '../oauth/mask-secret.js';
import { type Check, failure, type Finding, type Outcome } from './finding.js';
import type { Target, TargetOptions } from './target.js';
import { ProbeError } from './probe/probe-wire.js';

/** An examination's result. */
export interface Examination {
  /** One line for each check that applied. */
  readonly findings: readonly Finding[];
  /** Whether a server was reached. */
  readonly isReached: boolean;
}

/** The scheme before the credentials in `Authorization` (RFC 9110 §11.4). */
const SCHEME = /^\S+\s+/;

/**
 * Examines a server, one check at a time, until a check reports that no further checks make sense. Then ends the
 * sessions that were opened for the examination.
 *
 * @param signal aborts the examination between two checks; it then rejects with the signal's reason
 */
export async function examineTarget(
  target: Target,
  checks: readonly Check[],
  signal?: AbortSignal,
): Promise<Examination> {
  const findings: Finding[] = [];
  try {
    for (const check of checks) {
      const outcome = await runCheck(check, target);
      signal?.throwIfAborted();
      if (outcome === undefined) continue;
      findings.push(buildFinding(check.id, outcome, target.options));
      if (outcome.ends !== undefined) return { findings, isReached: outcome.ends !== 'unreachable' };
    }
    return { findings, isReached: true };
  } finally {
    await target.endSessions();
  }
}

async function runCheck(check: Check, target: Target): Promise<Outcome | undefined> {
  try {
    return await check.run(target);
  } catch (cause) {
    if (!(cause instanceof ProbeError)) throw cause;
    const outcome = failure(cause.message, 'Check the server, and any proxy in front of it');
    // All other checks depend on the first message.
    const isFirst = await target.initialize().then(
      () => false,
      () => true,
    );
    return isFirst ? { ...outcome, ends: 'unanswered' } : outcome;
  }
}

/** A server may echo data that it was sent, which must not be shown. */
function buildFinding(id: string, { status, found, fix }: Outcome, options: TargetOptions): Finding {
  const { token = '', headers } = options;
  const { authorization = '' } = headers;
  const secrets = [token, ...Object.values(headers), authorization.replace(SCHEME, '')];
  const hide = (text: string) =>
    secrets.reduce((shown, secret) => maskSecret(shown, secret, '[hidden]'), text);
  return { id, status, found: hide(found), fix: hide(fix) };
}
