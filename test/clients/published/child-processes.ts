import { readdirSync, readFileSync } from 'node:fs';

/** Lists the processes that this one has started and that run, on Linux. */
export function listChildren(): readonly string[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc/self/task').flatMap((thread) =>
    readFileSync(`/proc/self/task/${thread}/children`, 'utf8').split(' ').filter(Boolean),
  );
}
