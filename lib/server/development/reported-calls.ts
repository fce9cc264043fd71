import { Subscription } from 'rxjs';
import { escapeText } from '../../core/log/escape-text.js';
import { fingerprintSession } from '../../core/protocol/fingerprints.js';
import { isObject, type Params } from '../../core/protocol/json-rpc.js';
import { MetaKey } from '../../core/protocol/meta-keys.js';
import type { AuditEvent } from '../audit/audit-event.js';
import type { AuditTrail } from '../audit/audit-trail.js';
import type { SessionRegistry } from '../sessions/session-registry.js';
import type { DevelopmentLink } from './development-link.js';

const LONGEST_CLIENT = 100;

/** The event types to report: client operations and their results. */
const TOLD: ReadonlySet<string> = new Set(['request', 'task', 'input_request']);

/** Reports what clients do, using the names that they report. */
export class ReportedCalls {
  /** Clients per session fingerprint. */
  readonly #clients = new Map<string, string>();

  constructor(private readonly sessions: SessionRegistry) {}

  /** Reports every operation from now on. */
  report(trail: AuditTrail, link: DevelopmentLink): Subscription {
    const subscription = new Subscription();
    subscription.add(
      this.sessions.events$.subscribe(({ type, session }) => {
        const fingerprint = fingerprintSession(session.id);
        const name = formatClient(session.client.info);
        if (type === 'closed') this.#clients.delete(fingerprint);
        else if (name !== undefined) this.#clients.set(fingerprint, name);
      }),
    );
    trail.onEvent = (event, { params }) => {
      if (TOLD.has(event.type) && event.method !== 'ping') this.#send(link, event, params);
    };
    subscription.add(() => (trail.onEvent = undefined));
    return subscription;
  }

  #send(link: DevelopmentLink, event: AuditEvent, params: Params | undefined): void {
    const { type, server, method, target, caller, outcome, reason, errorCode, durationMs, http } = event;
    link.send({
      type: 'call',
      server,
      event: type,
      method: method ?? (http && `${http.method} ${http.path}`),
      target,
      subject: caller.subject,
      client: this.#findClient(event, params) ?? caller.clientId,
      address: caller.address,
      outcome,
      reason,
      errorCode,
      durationMs,
    });
  }

  /** A session identifies its client once, at initialization; a stateless request identifies it itself. */
  #findClient({ session }: AuditEvent, params: Params | undefined): string | undefined {
    const known = session && this.#clients.get(session);
    if (known !== undefined) return known;
    const meta = params?.['_meta'];
    return formatClient(isObject(meta) && meta[MetaKey.clientInfo]) ?? formatClient(params?.['clientInfo']);
  }
}

function formatClient(info: unknown): string | undefined {
  if (!isObject(info)) return undefined;
  const { name, version } = info;
  if (typeof name !== 'string') return undefined;
  return escapeText(typeof version === 'string' ? `${name} ${version}` : name, LONGEST_CLIENT);
}
