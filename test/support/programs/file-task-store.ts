import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, statSync, watch, writeFileSync } from 'node:fs';
import { appendFile, link, mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TaskWorkers, TaskRecord, TaskSelection, TaskStore } from 'nestjs-mcp';

const FINAL: readonly string[] = ['completed', 'failed', 'cancelled'];

/**
 * Keeps tasks in files that several processes share and that outlive them: each version of a task is a file of its own,
 * whose name can be taken once.
 */
export class FileTaskStore implements TaskStore {
  readonly workers: TaskWorkers;
  readonly #tasks: string;
  /** Says line by line what was changed, and by whom. */
  readonly #journal: string;
  readonly #self = randomUUID();

  constructor(directory: string) {
    this.#tasks = join(directory, 'tasks');
    this.#journal = join(directory, 'journal');
    mkdirSync(this.#tasks, { recursive: true });
    writeFileSync(this.#journal, '', { flag: 'a' });
    this.workers = new FileTaskWorkers(join(directory, 'workers'));
  }

  async create(record: TaskRecord): Promise<void> {
    await mkdir(join(this.#tasks, record.taskId));
    if (!(await this.#write(record))) throw new Error('The task is there already');
  }

  async find(taskId: string): Promise<TaskRecord | undefined> {
    const version = await this.#findVersion(taskId);
    return version === undefined ? undefined : this.#read(taskId, version);
  }

  async replace(record: TaskRecord): Promise<boolean> {
    const { taskId, version } = record;
    return (await this.#findVersion(taskId)) === version - 1 && this.#write(record);
  }

  async list({ owner, sessionId, after, limit }: TaskSelection): Promise<readonly TaskRecord[]> {
    const position = (record: Pick<TaskRecord, 'createdAt' | 'taskId'>) => record.createdAt + record.taskId;
    return (await this.all())
      .filter((record) => record.owner === owner && (owner !== undefined || record.sessionId === sessionId))
      .filter((record) => after === undefined || position(record) > position(after))
      .toSorted((one, other) => (position(one) < position(other) ? -1 : 1))
      .slice(0, limit);
  }

  async listOpen(): Promise<readonly TaskRecord[]> {
    return (await this.all()).filter(({ status }) => !FINAL.includes(status));
  }

  async removeExpired(before: number): Promise<void> {
    const expired = (await this.all()).filter(({ expires }) => expires < before);
    await Promise.all(
      expired.map(({ taskId }) => rm(join(this.#tasks, taskId), { recursive: true, force: true })),
    );
  }

  watch(changed: (taskId: string) => void): () => void {
    let position = statSync(this.#journal).size;
    const watcher = watch(this.#journal, () => {
      const text = readFileSync(this.#journal).subarray(position).toString();
      const complete = text.slice(0, text.lastIndexOf('\n') + 1);
      position += Buffer.byteLength(complete);
      for (const line of complete.split('\n').filter(Boolean)) {
        const [taskId = '', writer] = line.split(' ');
        if (writer !== this.#self) changed(taskId);
      }
    });
    return () => watcher.close();
  }

  /** Gives all tasks. */
  async all(): Promise<readonly TaskRecord[]> {
    const found = await Promise.all((await readdir(this.#tasks)).map((taskId) => this.find(taskId)));
    return found.filter((record) => record !== undefined);
  }

  async #findVersion(taskId: string): Promise<number | undefined> {
    if (!/^[\w-]+$/.test(taskId)) return undefined;
    const files = await readdir(join(this.#tasks, taskId)).catch(() => []);
    const versions = files.filter((file) => file.endsWith('.json')).map((file) => Number.parseInt(file, 10));
    return versions.length === 0 ? undefined : Math.max(...versions);
  }

  async #read(taskId: string, version: number): Promise<TaskRecord | undefined> {
    const text = await readFile(join(this.#tasks, taskId, `${version}.json`), 'utf8').catch(() => undefined);
    return text === undefined ? undefined : (JSON.parse(text) as TaskRecord);
  }

  /** A version is there as a whole or not at all, and of several who write it one succeeds. */
  async #write(record: TaskRecord): Promise<boolean> {
    const { taskId, version } = record;
    const draft = join(this.#tasks, taskId, `${randomUUID()}.draft`);
    await writeFile(draft, JSON.stringify(record));
    const isWritten = await link(draft, join(this.#tasks, taskId, `${version}.json`)).then(
      () => true,
      () => false,
    );
    await rm(draft);
    if (isWritten) await appendFile(this.#journal, `${taskId} ${this.#self}\n`);
    return isWritten;
  }
}

/** Keeps signs of life, each in a file. */
class FileTaskWorkers implements TaskWorkers {
  constructor(private readonly directory: string) {
    mkdirSync(directory, { recursive: true });
  }

  async renew(worker: string, until: number): Promise<void> {
    const draft = join(this.directory, `${randomUUID()}.draft`);
    await writeFile(draft, String(until));
    await rename(draft, join(this.directory, worker));
  }

  async list(now: number): Promise<readonly string[]> {
    const workers = (await readdir(this.directory)).filter((file) => !file.endsWith('.draft'));
    const untils = await Promise.all(workers.map((worker) => readFile(join(this.directory, worker), 'utf8')));
    return workers.filter((_, index) => Number(untils[index]) >= now);
  }
}
