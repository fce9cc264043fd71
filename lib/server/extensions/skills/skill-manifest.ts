import { formatDigest } from '../../../core/skills/digest.js';
import { encodePath, type Skill, SKILL_FILE, type SkillResource } from '../../../core/skills/skill.js';
import { FairSlots } from '../../../core/async/concurrency.js';
import { CachedPromise } from '../../../core/async/promises.js';
import type { McpContext } from '../../context/mcp-context.interface.js';

/** A skill's files, by path with `/` as the separator. */
export interface SkillFiles {
  /** Whether they are generated for each caller and therefore have no fixed digests. */
  readonly isDynamic: boolean;
  /** Returns whether a file with the path existed at the scan. */
  has(path: string): boolean;
  /** Lists the paths of all files. */
  list(context?: McpContext): readonly string[] | Promise<readonly string[]>;
  /** Reads a file. Returns `undefined` if it does not exist. */
  read(path: string, context?: McpContext): Promise<Uint8Array | undefined>;
  /** Folders, including empty ones. @default the files' folders */
  readonly folders?: ReadonlySet<string>;
}

/** The number of skills whose digests are computed concurrently. */
const READ_AT_ONCE = 4;

const slots = new FairSlots({ slots: READ_AT_ONCE });

/** Milliseconds before unreadable files are read again, because callers can request them as often as they like. */
export const READ_AGAIN_MS = 5000;

/** A skill's files with their sizes and digests, computed on first use. */
export class SkillManifest {
  readonly #built = new CachedPromise(() => slots.run({}, () => this.#build()));
  readonly #digests = new Map<string, string>();
  #resources: Skill['resources'] | undefined;
  #failure: { readonly reason: unknown; readonly at: number } | undefined;

  constructor(
    private readonly root: string,
    private readonly files: SkillFiles,
  ) {
    if (files.isDynamic) this.#resources = 'dynamic';
  }

  /** The resources, if already computed. */
  get known(): Skill['resources'] | undefined {
    return this.#resources;
  }

  /** Returns every file, `SKILL.md` first and then by path. A failure is cached for a while. */
  async get(): Promise<Skill['resources']> {
    const failure = this.#failure;
    if (failure !== undefined && performance.now() - failure.at < READ_AGAIN_MS) throw failure.reason;
    return this.#resources ?? this.#built.get();
  }

  /** Returns whether bytes match a file's digest. A file without a digest always matches. */
  matches(path: string, bytes: Uint8Array): boolean {
    const digest = this.#digests.get(path);
    return digest === undefined || digest === formatDigest(bytes);
  }

  /** Finds a file's known digest. */
  findDigest(path: string): string | undefined {
    return this.#digests.get(path);
  }

  async #build(): Promise<readonly SkillResource[]> {
    try {
      this.#resources = await this.#read();
      return this.#resources;
    } catch (reason) {
      this.#failure = { reason, at: performance.now() };
      throw reason;
    }
  }

  async #read(): Promise<readonly SkillResource[]> {
    const resources: SkillResource[] = [];
    for (const path of await this.files.list()) {
      const bytes = await this.files.read(path);
      if (bytes === undefined) throw new Error(`The file "${path}" in "${this.root}" no longer exists`);
      const digest = formatDigest(bytes);
      this.#digests.set(path, digest);
      resources.push({ uri: `${this.root}/${encodePath(path)}`, digest, size: bytes.byteLength });
    }
    return resources;
  }
}

/** Sorts `SKILL.md` first, and the others by path. */
export function comparePaths(one: string, other: string): number {
  if (one === other) return 0;
  if (one === SKILL_FILE) return -1;
  if (other === SKILL_FILE) return 1;
  return one < other ? -1 : 1;
}
