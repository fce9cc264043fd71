import { createHash, randomBytes } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import { readdir, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { KeyedMutex } from '../../../core/async/concurrency.js';
import { CredentialStoreError, type ExclusiveOptions } from './credential-store.js';
import { isMissing, removeFile } from './private-file.js';

/** The default of `waitMs`. */
export const DEFAULT_WAIT_MS = 30_000;

/** Within this process, runs work on the same credentials one at a time, with a limit on the wait. */
export class CredentialMutex {
  readonly #queue = new KeyedMutex();

  /**
   * Runs work after all earlier work under the same name.
   *
   * @throws {CredentialStoreError} if the earlier work is not done in time
   */
  run<Result>(name: string, work: () => Promise<Result>, options: ExclusiveOptions = {}): Promise<Result> {
    return this.#queue.run(name, work, (before) => waitFor(before, options));
  }
}

async function waitFor(before: Promise<void>, options: ExclusiveOptions): Promise<void> {
  const { waitMs = DEFAULT_WAIT_MS, signal } = options;
  const over = new AbortController();
  const ends = signal === undefined ? over.signal : AbortSignal.any([over.signal, signal]);
  const late = delay(waitMs, true, { signal: ends }).catch(() => true);
  const isLate = await Promise.race([before.then(() => false), late]);
  over.abort();
  signal?.throwIfAborted();
  if (isLate) throw CredentialStoreError.busy(waitMs);
}

/** A lock that has not been touched for this many milliseconds is stale, if its process cannot be checked. */
const STALE_MS = 15_000;
const TOUCH_MS = 3_000;
const POLL_MS = 25;
const SUFFIX = '.lock';

/** The location of a lock. */
interface LockLocation {
  readonly folder: string;
  /** What is locked: the prefix of the file name. */
  readonly name: string;
}

/**
 * Waits until no other process holds this name's lock, and acquires it. Returns a function that releases it.
 *
 * Each process creates its own file and then looks for others. If two do so concurrently, at least one sees the other
 * and backs off. A file belongs to one process and is never reused, so removing a dead process's file cannot affect a
 * live one.
 *
 * @throws {CredentialStoreError} if the lock is not released in time
 */
export async function acquireLock(
  location: LockLocation,
  options: ExclusiveOptions = {},
): Promise<() => Promise<void>> {
  const lock = await acquire(location, options);
  const touches = setInterval(() => void touch(lock), TOUCH_MS).unref();
  return async () => {
    clearInterval(touches);
    await removeFile(lock);
  };
}

async function acquire(location: LockLocation, options: ExclusiveOptions): Promise<string> {
  const { waitMs = DEFAULT_WAIT_MS, signal } = options;
  const deadline = performance.now() + waitMs;
  const watch = new LockWatch(location);
  for (;;) {
    signal?.throwIfAborted();
    const lock = (await watch.findOther()) === undefined ? await tryToAcquire(location, watch) : undefined;
    if (lock !== undefined) return lock;
    if (performance.now() > deadline) throw CredentialStoreError.busy(waitMs, location.folder);
    await delay(POLL_MS * (1 + Math.random()), undefined, { signal });
  }
}

async function tryToAcquire(location: LockLocation, watch: LockWatch): Promise<string | undefined> {
  const file = `${location.name}.${PROCESS_IDENTITY}.${randomBytes(8).toString('hex')}${SUFFIX}`;
  const lock = join(location.folder, file);
  await writeFile(lock, '', { flag: 'wx', mode: 0o600 });
  try {
    if ((await watch.findOther(file)) === undefined) return lock;
  } catch (error) {
    await removeFile(lock);
    throw error;
  }
  await removeFile(lock);
  return undefined;
}

/** Finds other holders of a lock, and tracks how long each has gone without a touch. */
class LockWatch {
  readonly #seen = new Map<string, { readonly touchedAtMs: number; readonly sinceMs: number }>();

  constructor(private readonly location: LockLocation) {}

  async findOther(own?: string): Promise<string | undefined> {
    const { folder, name } = this.location;
    const files = await readdir(folder);
    const others = files.filter(
      (file) => file.startsWith(`${name}.`) && file.endsWith(SUFFIX) && file !== own,
    );
    for (const file of others) {
      if (!(await this.#isDead(file))) return file;
      await removeFile(join(folder, file));
    }
    return undefined;
  }

  /**
   * Measured with this process's monotonic clock, because other machines' clocks may differ, and a sleeping machine
   * must not make locks stale.
   */
  async #isDead(file: string): Promise<boolean> {
    const [, identity = ''] = file.split('.');
    if (isProcessGone(identity)) return true;
    const touchedAtMs = await readTouch(join(this.location.folder, file));
    if (touchedAtMs === undefined) return true;
    const seen = this.#seen.get(file);
    if (seen?.touchedAtMs === touchedAtMs) return performance.now() - seen.sinceMs > STALE_MS;
    this.#seen.set(file, { touchedAtMs, sinceMs: performance.now() });
    return false;
  }
}

async function readTouch(lock: string): Promise<number | undefined> {
  try {
    return (await stat(lock)).mtimeMs;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** If this fails, the lock becomes stale for other processes, and the work continues. */
async function touch(lock: string): Promise<void> {
  const now = new Date();
  await utimes(lock, now, now).catch(() => undefined);
}

/** A file's creator, as given in its name: `<pid>-<machine>`. */
const IDENTITY = /^(\d+)-([\da-f]{8})$/;

/** Identifies this process among all that share a folder. */
export const PROCESS_IDENTITY = `${process.pid}-${hashMachine()}`;

/** Returns whether a process has definitely ended. Processes on other machines cannot be checked. */
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

/** Containers may have the same host name, each with its own process ids. */
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
