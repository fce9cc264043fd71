import { createHash, randomBytes } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import { readdir, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Turns } from '../../../core/waiting/turns.js';
import { CredentialStoreError, type ExclusiveOptions } from './credential-store.js';
import { isMissing, removeFile } from './private-file.js';

/** How long one waits for others if nothing else is said. */
export const DEFAULT_WAIT_MS = 30_000;

/** Gives the same credentials to one caller of a process after another, with a limit for the wait. */
export class CredentialTurns {
  readonly #turns = new Turns();

  /**
   * Does work when all who came before are done.
   *
   * @throws {CredentialStoreError} if they are not done in time
   */
  take<Result>(name: string, work: () => Promise<Result>, options: ExclusiveOptions = {}): Promise<Result> {
    return this.#turns.take(name, work, (before) => waitFor(before, options));
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

/** Milliseconds without a sign of life after which a lock's holder counts as dead, if its process cannot be checked. */
const STALE_MS = 15_000;
const TOUCH_MS = 3_000;
const POLL_MS = 25;
const SUFFIX = '.lock';

/** Where a lock is. */
interface LockPlace {
  readonly folder: string;
  /** What is locked: the beginning of the file's name. */
  readonly name: string;
}

/**
 * Waits until no other process holds the lock of this name, and takes it. Returns a function that releases it.
 *
 * Each process creates its own file and then looks for others. If two come at once, at least one sees the other and steps
 * back. A file belongs to one process and is never used again. So removing the file of a dead process cannot hit a living
 * one.
 *
 * @throws {CredentialStoreError} if others are not done in time
 */
export async function acquireLock(
  place: LockPlace,
  options: ExclusiveOptions = {},
): Promise<() => Promise<void>> {
  const lock = await acquire(place, options);
  const touches = setInterval(() => void touch(lock), TOUCH_MS).unref();
  return async () => {
    clearInterval(touches);
    await removeFile(lock);
  };
}

async function acquire(place: LockPlace, options: ExclusiveOptions): Promise<string> {
  const { waitMs = DEFAULT_WAIT_MS, signal } = options;
  const deadline = performance.now() + waitMs;
  const watch = new LockWatch(place);
  for (;;) {
    signal?.throwIfAborted();
    const lock = (await watch.findOther()) === undefined ? await tryToAcquire(place, watch) : undefined;
    if (lock !== undefined) return lock;
    if (performance.now() > deadline) throw CredentialStoreError.busy(waitMs, place.folder);
    await delay(POLL_MS * (1 + Math.random()), undefined, { signal });
  }
}

async function tryToAcquire(place: LockPlace, watch: LockWatch): Promise<string | undefined> {
  const file = `${place.name}.${PROCESS_IDENTITY}.${randomBytes(8).toString('hex')}${SUFFIX}`;
  const lock = join(place.folder, file);
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

/** Sees who else holds a lock or is about to, and remembers for how long each has not moved. */
class LockWatch {
  readonly #seen = new Map<string, { readonly touchedAtMs: number; readonly sinceMs: number }>();

  constructor(private readonly place: LockPlace) {}

  async findOther(own?: string): Promise<string | undefined> {
    const { folder, name } = this.place;
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

  /** Measured by this process's clock alone: those of other machines may differ, and a sleeping machine ages nothing. */
  async #isDead(file: string): Promise<boolean> {
    const [, identity = ''] = file.split('.');
    if (isProcessGone(identity)) return true;
    const touchedAtMs = await readTouch(join(this.place.folder, file));
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

/** If it fails, the lock ages: the work continues, and others learn of it by their own look. */
async function touch(lock: string): Promise<void> {
  const now = new Date();
  await utimes(lock, now, now).catch(() => undefined);
}

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
