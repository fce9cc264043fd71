import { createHash } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** Who made a file, as its name tells: `<pid>-<machine>`. */
const IDENTITY = /^(\d+)-([\da-f]{8})$/;

/** Names this process among all that share a folder. */
export const PROCESS_IDENTITY = `${process.pid}-${hashMachine()}`;

/** Tells whether a process has ended for certain; of one on another machine nothing is known. */
export function isProcessGone(identity: string): boolean {
  const [, pid, machine] = IDENTITY.exec(identity) ?? [];
  if (pid === undefined || machine !== hashMachine()) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

/** Containers may share a name of their host, and count their processes each on its own. */
function hashMachine(): string {
  return createHash('sha256').update(`${hostname()} ${findProcessSpace()}`).digest('hex').slice(0, 8);
}

function findProcessSpace(): string {
  if (process.platform !== 'linux') return '';
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}
