import { fingerprintSession } from './fingerprint-session.js';

/** Names a task in logs and traces, as sessions are named. Without tokens, anyone who has the id of a task can use the task. */
export function fingerprintTask(id: string): string {
  return fingerprintSession(id);
}
