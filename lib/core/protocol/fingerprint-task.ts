import { fingerprintSession } from './fingerprint-session.js';

/** Identifies a task in logs and traces, as sessions are identified. Without tokens, anyone who has a task's ID can use the task. */
export function fingerprintTask(id: string): string {
  return fingerprintSession(id);
}
