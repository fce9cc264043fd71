import type { SessionView } from '../context/mcp-context.interface.js';
import type { TransportKind } from '../settings/transport-kind.js';
import type { Carriage } from '../telemetry/network.js';
import type { AuditTrail } from './audit-trail.js';
import type { AuditedFacts, AuditedSender } from './audited-facts.interface.js';
import { recordEvent } from './record-event.js';

/** A session, and how its client speaks. */
export type RecordedSession = Pick<SessionView, 'fingerprint' | 'revision'> & {
  readonly transport: TransportKind;
};

/** What is known of a session when it begins or ends. */
export interface SessionCircumstances extends Carriage {
  readonly sender: AuditedSender | undefined;
  /** Why it ended. */
  readonly reason?: string | undefined;
  /** How long it was. */
  readonly durationMs?: number | undefined;
}

/** Records that a session began or ended, if anybody audits. Nothing waits for it: what began or ended it has an event of its own. */
export function recordSession(
  trail: AuditTrail,
  type: 'session_begun' | 'session_ended',
  { fingerprint, revision, transport }: RecordedSession,
  { http, isPipe, sender, reason, durationMs = 0 }: SessionCircumstances,
): void {
  if (!trail.isWanted) return;
  const facts: AuditedFacts = {
    type,
    carriage: { http, isPipe },
    transport,
    sender,
    session: fingerprint,
    version: revision.version,
  };
  const end = {
    outcome: 'ok',
    time: new Date(),
    reason,
    durationMs,
    requestBytes: 0,
    answerBytes: 0,
  } as const;
  void recordEvent(trail, facts, end);
}
