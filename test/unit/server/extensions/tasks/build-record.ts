import type { InputRequest } from '../../../../../lib/core/protocol/input-requests.js';
import type { TaskRecord } from '../../../../../lib/server/settings/extensions/task-store.interface.js';

export const QUESTION: InputRequest = { method: 'elicitation/create', params: { message: 'Sure?' } };

/** Builds a task as it is stored when it begins; what a test does not name is plain. */
export function buildRecord(members: Partial<TaskRecord> = {}): TaskRecord {
  return {
    taskId: 'task-1',
    version: 1,
    status: 'working',
    createdAt: '2026-07-28T10:00:00.000Z',
    lastUpdatedAt: '2026-07-28T10:00:00.000Z',
    ttlMs: 60_000,
    pollIntervalMs: 1000,
    expires: Date.now() + 60_000,
    profile: 'published',
    call: { version: '2026-07-28', params: { name: 'run' }, client: { capabilities: {} } },
    inputRequests: {},
    inputResponses: {},
    ...members,
  };
}
