import { formatDigest } from '../../../core/skills/digest.js';
import { SKILL_FILE, type Skill, type SkillResource } from '../../../core/skills/skill.js';
import { encodePath } from '../../../core/skills/skill-uri.js';
import { FairSlots } from '../../../core/waiting/fair-slots.js';
import { KeptPromise } from '../../../core/waiting/kept-promise.js';
import type { McpContext } from '../../context/mcp-context.interface.js';

/** The files of one skill, by their paths in it, with `/` between folders. */
export interface SkillFiles {
  /** Whether they are made for each caller, so that nothing can be said of them beforehand. */
  readonly isDynamic: boolean;
  /** Tells whether there was a file of that path when they were found. */
  has(path: string): boolean;
  /** Returns the paths of all of them. */
  list(context?: McpContext): readonly string[] | Promise<readonly string[]>;
  /** Reads one. Returns `undefined` if there is none of that path. */
  read(path: string, context?: McpContext): Promise<Uint8Array | undefined>;
  /** Folders that are there whether a file is in them or not. @default those of files */
  readonly folders?: ReadonlySet<string>;
}

/** Skills whose files are read at once to know their digests. */
const READ_AT_ONCE = 4;

const slots = new FairSlots({ slots: READ_AT_ONCE });

/** The pause before unreadable files are read again, because any caller can ask at will. */
export const READ_AGAIN_MS = 5000;

/** The files of one skill with their sizes and digests, which are computed when they are asked for first. */
export class SkillManifest {
  readonly #built = new KeptPromise(() => slots.run({}, () => this.#build()));
  readonly #digests = new Map<string, string>();
  #resources: Skill['resources'] | undefined;
  #failure: { readonly reason: unknown; readonly at: number } | undefined;

  constructor(
    private readonly root: string,
    private readonly files: SkillFiles,
  ) {
    if (files.isDynamic) this.#resources = 'dynamic';
  }

  /** What is known already. Returns `undefined` if nobody has asked for it. */
  get known(): Skill['resources'] | undefined {
    return this.#resources;
  }

  /** Returns every file, `SKILL.md` first, then by their paths. What failed fails for a while without another look. */
  async get(): Promise<Skill['resources']> {
    const failure = this.#failure;
    if (failure !== undefined && performance.now() - failure.at < READ_AGAIN_MS) throw failure.reason;
    return this.#resources ?? this.#built.get();
  }

  /** Tells whether bytes match the manifest's entry for a file. A file without an entry always matches. */
  agrees(path: string, bytes: Uint8Array): boolean {
    const digest = this.#digests.get(path);
    return digest === undefined || digest === formatDigest(bytes);
  }

  /** Finds the digest that is known of a file. */
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
      if (bytes === undefined) throw new Error(`The file "${path}" of "${this.root}" is gone`);
      const digest = formatDigest(bytes);
      this.#digests.set(path, digest);
      resources.push({ uri: `${this.root}/${encodePath(path)}`, digest, size: bytes.byteLength });
    }
    return resources;
  }
}

/** Puts `SKILL.md` first, and the others by their paths. */
export function comparePaths(one: string, other: string): number {
  if (one === other) return 0;
  if (one === SKILL_FILE) return -1;
  if (other === SKILL_FILE) return 1;
  return one < other ? -1 : 1;
}
