import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Lists the processes that a process started, and those that these started. What starts servers, such as npx, is often not the server. */
export async function listDescendants(pid: number): Promise<readonly number[]> {
  const parents = await readParents().catch(() => new Map<number, number>());
  const found: number[] = [];
  const visit = (parent: number): void => {
    for (const [child, itsParent] of parents) {
      if (itsParent !== parent || found.includes(child)) continue;
      found.push(child);
      visit(child);
    }
  };
  visit(pid);
  return found;
}

/** Ends processes at once, as far as they are still there. */
export function endProcesses(pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended by itself.
    }
  }
}

/** Ends a process of Windows with all that it started, which signals there do not reach. */
export async function endWindowsTree(pid: number): Promise<void> {
  await run('taskkill', ['/PID', String(pid), '/T', '/F']).catch(() => undefined);
}

/** Reads the parent of each process. */
async function readParents(): Promise<ReadonlyMap<number, number>> {
  if (process.platform === 'win32') return new Map();
  if (process.platform !== 'linux') return readListed();
  const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const pairs = await Promise.all(names.map(readParent));
  return new Map(pairs.filter((pair) => pair !== undefined));
}

/** The name of a program stands in parentheses, and may have any character. */
async function readParent(pid: string): Promise<readonly [pid: number, parent: number] | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const [, parent] = /^[^]*\) \S (\d+) /.exec(text) ?? [];
  return parent === undefined ? undefined : [Number(pid), Number(parent)];
}

async function readListed(): Promise<ReadonlyMap<number, number>> {
  const { stdout } = await run('ps', ['-A', '-o', 'pid=,ppid=']);
  return new Map(
    [...stdout.matchAll(/^\s*(\d+)\s+(\d+)\s*$/gm)].map(([, pid, parent]) => [Number(pid), Number(parent)]),
  );
}
