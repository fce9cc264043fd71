import { completeClaims } from '../../core/oauth/access-token.js';
import type { AuthorizationEvent, AuthorizationEventRecorder } from '../settings/authorization-event.js';
import type { ServerTelemetry } from '../telemetry/server-telemetry.js';
import type { AuditTrail } from './audit-trail.js';
import { recordEvent } from './record-event.js';

/** Records the events of an authorization server in the same application, in metrics and in the audit. */
export class AuthorizationRecorder implements AuthorizationEventRecorder {
  constructor(
    private readonly trail: AuditTrail,
    private readonly telemetry?: ServerTelemetry,
  ) {}

  /** The request does not wait until its event is stored. */
  record({ type, outcome, http, issuer: iss, ...event }: AuthorizationEvent): void {
    this.telemetry?.countAuthorization(type, outcome);
    if (!this.trail.isEnabled) return;
    const { subject: sub, clientId, resource: target, action, reason } = event;
    const claims = completeClaims({
      iss,
      ...(sub !== undefined && { sub }),
      ...(clientId !== undefined && { clientId }),
    });
    const facts = { type, source: { http }, transport: 'http', caller: { claims } } as const;
    const sizes = { durationMs: 0, requestBytes: 0, answerBytes: 0 };
    void recordEvent(this.trail, facts, { outcome, target, action, reason, time: new Date(), ...sizes });
  }
}
