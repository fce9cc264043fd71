import { fingerprintSession } from './fingerprint-session.js';

/** Names a task where others read it, as sessions are named: without tokens, whoever has the id of a task has the task. */
export function fingerprintTask(id: string): string {
  return fingerprintSession(id);
}
