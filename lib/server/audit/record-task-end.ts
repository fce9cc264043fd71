import { fingerprintSession } from '../../core/protocol/fingerprint-session.js';
import { isObject } from '../../core/protocol/json-rpc.js';
import type { TaskRecord } from '../settings/extensions/task-store.interface.js';
import type { AuditEvent } from './audit-event.interface.js';
import type { AuditTrail } from './audit-trail.js';
import type { AuditedFacts } from './audited-facts.interface.js';
import { recordEvent } from './record-event.js';

/** Records the end of a task that did not run to it: it was cancelled before, expired, or was lost with its process. */
export function recordTaskEnd(trail: AuditTrail, task: TaskRecord): void {
  const { taskId, call, owner, sessionId, createdAt, error } = task;
  const facts: AuditedFacts = {
    type: 'task',
    carriage: {},
    transport: call.transport,
    sender: { identity: owner },
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
