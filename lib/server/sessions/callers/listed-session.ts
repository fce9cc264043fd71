import type { CallerTerms } from './caller-filter.js';
import type { ListedSession } from './mcp-sessions.interface.js';
import type { Session } from '../session.js';

/** A listed session in the form that processes exchange. */
export interface SessionReport extends Omit<ListedSession, 'since' | 'lastActive'> {
  /** Milliseconds of the epoch. */
  readonly since: number;
  readonly lastActive: number;
}

/** Which sessions to list, and how many. */
export interface SessionQuestion {
  /** @default all sessions */
  readonly terms?: CallerTerms;
  readonly limit: number;
}

/** Describes one of this process's sessions. */
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

/** Merges reports from several processes, which may overlap. The most recently used sessions are first. */
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

/** Merges two reports of a session. The one with the latest use wins. */
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
