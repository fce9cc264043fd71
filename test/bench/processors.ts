import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * Keeps the load on one processor and servers that are measured on another. Left to the system, the two take each other's
 * place now and then, and some servers run at half the speed from their start to their end, whichever they are.
 *
 * It takes Linux, its "taskset" and two processors; elsewhere everything runs where the system has it.
 */
export class Processors {
  private readonly allowed = findAllowed();
  private isDivided = false;

  get canDivide(): boolean {
    return this.allowed.length > 1;
  }

  /** From now on this process, and what it starts, has the first processor to itself. */
  divide(): void {
    if (!this.canDivide) return;
    place(process.pid, this.allowed.slice(0, 1));
    this.isDivided = true;
  }

  /** Gives a server that was just started the second processor, as long as they are divided. */
  giveServer(pid: number | undefined): void {
    if (this.isDivided && pid !== undefined) place(pid, this.allowed.slice(1, 2));
  }

  /** From now on this process, and what it starts, runs anywhere again. */
  unite(): void {
    if (this.isDivided) place(process.pid, this.allowed);
    this.isDivided = false;
  }
}

/** Finds the processors that this process may run on; none where it cannot be told, or nothing can be done about it. */
function findAllowed(): readonly number[] {
  try {
    execFileSync('taskset', ['--version'], { stdio: 'ignore' });
    const list = /^Cpus_allowed_list:\s*(\S+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '';
    return readList(list);
  } catch {
    return [];
  }
}

/** Reads numbers and ranges of them: "0-1,4". */
function readList(list: string): readonly number[] {
  return list.split(',').flatMap((range) => {
    const [first = 0, last = first] = range.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  });
}

/** Places a process with all its threads. */
function place(pid: number, processors: readonly number[]): void {
  execFileSync('taskset', ['--all-tasks', '--pid', '--cpu-list', processors.join(','), String(pid)], {
    stdio: 'ignore',
  });
}
