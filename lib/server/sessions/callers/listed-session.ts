import type { CallerTerms } from './caller-filter.js';
import type { ListedSession } from './mcp-sessions.interface.js';
import type { Session } from '../session.js';

/** A session on its way between processes. */
export interface SessionReport extends Omit<ListedSession, 'since' | 'lastActive'> {
  /** Milliseconds of the epoch. */
  readonly since: number;
  readonly lastActive: number;
}

/** Which sessions are wanted, and how many. */
export interface SessionQuestion {
  /** @default all sessions */
  readonly terms?: CallerTerms;
  readonly limit: number;
}

/** Describes a session of this process. */
export function reportSession(session: Session): SessionReport {
  const { key, identity, claims, address, revision, client, opened: since, isRead, isRunning } = session;
  const { sub: subject, iss: issuer, clientId } = claims ?? {};
  const { info } = client;
  return {
    key,
    ...(identity !== undefined && {
      caller: {
        identity,
        ...(subject !== undefined && { subject }),
        ...(issuer !== undefined && { issuer }),
      },
    }),
    ...(clientId !== undefined && { clientId }),
    ...(info !== undefined && { client: { name: info.name, version: info.version } }),
    revision: revision.version,
    ...(address !== undefined && { address }),
    since,
    lastActive: Math.round(Date.now() - (performance.now() - session.lastActive)),
    isRead,
    isRunning,
  };
}

/** Puts together what several processes report, some of the same sessions; the latest used come first. */
export function uniteReports(reports: readonly SessionReport[]): readonly ListedSession[] {
  const byKey = new Map<string, SessionReport>();
  for (const report of reports) {
    const known = byKey.get(report.key);
    byKey.set(report.key, known === undefined ? report : unite(known, report));
  }
  return [...byKey.values()]
    .toSorted((one, two) => two.lastActive - one.lastActive)
    .map((report) => ({
      ...report,
      since: new Date(report.since),
      lastActive: new Date(report.lastActive),
    }));
}

/** The latest use counts. */
function unite(one: SessionReport, two: SessionReport): SessionReport {
  const [latest, other] = one.lastActive >= two.lastActive ? [one, two] : [two, one];
  return {
    ...other,
    ...latest,
    since: Math.min(one.since, two.since),
    isRead: one.isRead || two.isRead,
    isRunning: one.isRunning || two.isRunning,
  };
}
