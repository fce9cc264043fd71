import type { OnApplicationShutdown, OnModuleInit } from '@nestjs/common';
import type { Observable, Subscription } from 'rxjs';
import { fingerprintSession } from '../../core/protocol/fingerprints.js';
import { isObject } from '../../core/protocol/json-rpc.js';
import type { SessionView } from '../context/mcp-context.interface.js';
import type { TaskRecord } from '../settings/extensions/task-store.interface.js';
import type { TransportKind } from '../settings/transport-kind.js';
import type { RequestSource } from '../telemetry/network.js';
import type { AuditedFacts, KnownCaller, AuditEvent } from './audit-event.js';
import type { AuditTrail } from './audit-trail.js';
import { recordEvent } from './record-event.js';

/** A session and its transport. */
type RecordedSession = Pick<SessionView, 'fingerprint' | 'revision'> & {
  readonly transport: TransportKind;
};

/** Facts about a session when it begins or ends. */
interface SessionEventFacts extends RequestSource {
  readonly caller: KnownCaller | undefined;
  /** Why it ended. */
  readonly reason?: string | undefined;
  /** The duration of the session. */
  readonly durationMs?: number | undefined;
}

/** A session whose end is recorded. */
type EndedSession = RecordedSession & KnownCaller & { readonly opened: number };

/** The ways a session can end without a request. */
interface Ends {
  readonly sessions$: Observable<{ readonly session: EndedSession; readonly reason: string }>;
  /** Tasks that ended without a run. A run has its own event. */
  readonly tasks$: Observable<TaskRecord>;
}

/** Records what ends without a request: sessions, and tasks that did not run to their end. */
export class LifecycleAudit implements OnModuleInit, OnApplicationShutdown {
  readonly #subscriptions: Subscription[] = [];

  constructor(
    private readonly trail: AuditTrail,
    private readonly ends: Ends,
  ) {}

  onModuleInit(): void {
    const { trail, ends } = this;
    this.#subscriptions.push(
      ends.sessions$.subscribe(({ session, reason }) => {
        const { claims, identity, address, opened } = session;
        const caller = { claims, identity, address };
        recordSession(trail, 'session_ended', session, { caller, reason, durationMs: Date.now() - opened });
      }),
      ends.tasks$.subscribe((task) => recordTaskEnd(trail, task)),
    );
  }

  onApplicationShutdown(): void {
    for (const subscription of this.#subscriptions) subscription.unsubscribe();
  }
}

/** Records that a session began or ended, if the audit is enabled. The request that caused it has its own event. */
export function recordSession(
  trail: AuditTrail,
  type: 'session_begun' | 'session_ended',
  { fingerprint, revision, transport }: RecordedSession,
  { http, isPipe, caller, reason, durationMs = 0 }: SessionEventFacts,
): void {
  if (!trail.isEnabled) return;
  const facts: AuditedFacts = {
    type,
    source: { http, isPipe },
    transport,
    caller,
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

/** Records the end of a task that did not run to completion: it was cancelled, expired, or was lost with its process. */
export function recordTaskEnd(trail: AuditTrail, task: TaskRecord): void {
  if (!trail.isEnabled) return;
  const { taskId, call, owner, sessionId, createdAt, error } = task;
  const facts: AuditedFacts = {
    type: 'task',
    source: {},
    transport: call.transport,
    caller: { identity: owner },
    session: sessionId === undefined ? undefined : fingerprintSession(sessionId),
    version: call.version,
    method: 'tools/call',
    params: { name: call.params['name'] },
    task: taskId,
  };
  const time = new Date(createdAt);
  void recordEvent(trail, facts, {
    outcome: judge(task),
    errorCode: error?.code,
    time,
    durationMs: Date.now() - time.getTime(),
    requestBytes: 0,
    answerBytes: 0,
  });
}

function judge({ status, result }: TaskRecord): AuditEvent['outcome'] {
  if (status === 'cancelled') return 'cancelled';
  if (status === 'failed') return 'error';
  return isObject(result) && result['isError'] === true ? 'tool_error' : 'ok';
}
