import { realpath } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { FolderWatcher } from '../../../../core/folders/folder-watcher.js';
import { explainError } from '../../../../core/log/explain-error.js';
import { Logger } from '../../../../core/logger/logger.js';
import { encodePath } from '../../../../core/skills/skill-uri.js';
import { SKILL_LIMITS } from '../../../../core/skills/skill.js';
import type { SkillDirectory } from '../../../settings/extensions/skills-options.js';
import type { AccessOptions } from '../../../settings/handler-options.interface.js';
import { ServedSkill, type SkillParts } from '../served-skill.js';
import type { SkillFiles } from '../skill-manifest.js';
import type { SkillShelf } from '../skill-registry.js';
import { SkillError } from '../skill.error.js';
import { findSkills, type FoundSkill, type SkillFinding } from './find-skills.js';
import { isMissing, readFile, scanFolder, TreeTooLargeError, type FoundTree } from './read-folder.js';

/** How often at most: readers may read at will. */
const RENEW_AFTER_MS = 5000;

/** Has something renewed because of what readers find: at once, and then once in a while at most. It keeps no process alive. */
class PacedRenewal {
  #renewedAt = -Infinity;
  #running: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly renew: () => Promise<void>) {}

  /** Asks for it. Resolves once it is done, or at once if it was done a moment ago and is going to be done later. */
  async ask(): Promise<void> {
    const waitMs = this.#renewedAt + RENEW_AFTER_MS - performance.now();
    if (waitMs > 0) this.#timer ??= setTimeout(() => void this.#run(), waitMs).unref();
    else void this.#run();
    await this.#running;
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #run(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#renewedAt = performance.now();
    this.#running = this.renew();
    return this.#running;
  }
}

const UNREADABLE = 'cannot be read: its skills stay as they were';

/** Logs facts about a folder of skills for the operator, each once as long as it is so. */
class FolderLog {
  readonly #logger = new Logger('McpSkills');
  /** What was told last about the folder and about each skill in it. */
  readonly #told = new Map<string, string>();
  #isClosed = false;

  /** @param folder as the application names it */
  constructor(private readonly folder: string) {}

  warn(what: string, error?: unknown): void {
    const reason = error instanceof Error ? `: ${error.message}` : '';
    this.#tell(what, `The folder of skills "${this.folder}" ${what}${reason}`);
  }

  /** Tells why a skill stays as it was. */
  warnOf(path: string, error: unknown): void {
    this.#tell(path, `${explainError(error)} (it stays as it was)`);
  }

  /** Forgets what was logged about a skill that is served now, or of the folder if that is so no more. */
  forget(about: string): void {
    this.#told.delete(about);
  }

  /** Has nothing more told, such as of a folder that goes when the server has ended. */
  close(): void {
    this.#isClosed = true;
  }

  #tell(about: string, line: string): void {
    if (this.#isClosed || this.#told.get(about) === line) return;
    this.#told.set(about, line);
    this.#logger.warn(line);
  }
}

/** The files of a skill in a folder, as they were found: they are read when they are asked for. */
class FolderFiles implements SkillFiles {
  readonly isDynamic = false;

  constructor(private readonly skill: FoundSkill) {}

  get folders(): ReadonlySet<string> {
    return this.skill.folders;
  }

  has(path: string): boolean {
    return this.skill.files.has(path);
  }

  list(): readonly string[] {
    return [...this.skill.files.keys()];
  }

  async read(path: string): Promise<Uint8Array | undefined> {
    const file = this.skill.files.get(path);
    return file && readFile(file.location, SKILL_LIMITS.bytes);
  }

  /** Tells whether these are the same files as others, unchanged. */
  equals(other: FolderFiles): boolean {
    return this.#format() === other.#format();
  }

  /** Tells whether a file is the same as in others. */
  keeps(path: string, other: FolderFiles): boolean {
    return this.skill.files.get(path)?.stamp === other.skill.files.get(path)?.stamp;
  }

  #format(): string {
    const files = [...this.skill.files].map(([path, { stamp }]) => [path, stamp]);
    return JSON.stringify([files, [...this.skill.folders], this.skill.frontmatter]);
  }
}

/** More is a whole application or a home folder, which nobody means to serve. */
const BOUNDS = { entries: 20_000, depth: 16 };

/** How often it is looked for a folder that is gone. */
const LOOK_AGAIN_MS = 1000;

/** A folder of skills, with who may read them. */
export type SkillFolderOptions = Omit<SkillDirectory, 'requiredScopes'> &
  AccessOptions &
  Pick<SkillParts, 'origin' | 'tags'>;

/** The parts of a folder. */
export interface SkillFolderParts {
  readonly shelf: SkillShelf;
  /** Tells clients that a file has changed. */
  readonly tellUpdated: (uri: string) => void;
  /** Lists the folders that are served by themselves, and so are no part of this one. @default none */
  readonly listOthers?: () => readonly string[];
}

/** The skills of one folder: found when the server starts, and again when the folder changes. */
export class SkillFolder {
  readonly #log: FolderLog;
  readonly #skills = new Map<string, ServedSkill>();
  /** Skills whose files are not what they were, though nothing shows it. */
  readonly #stale = new Set<string>();
  readonly #watcher = new FolderWatcher({
    onChange: () => void this.refresh(),
    onFault: (_folder, error) => {
      this.#log.warn('is not watched any more: restart to see changes', error);
      this.#watcher.close();
    },
  });
  #running: Promise<void> | undefined;
  #isAsked = false;
  #isWatched = false;
  /** The name of the skill if the folder itself is a skill. Its subfolders then belong to that skill. */
  #rootName: string | undefined;
  #lookingAgain: NodeJS.Timeout | undefined;
  readonly #renewal = new PacedRenewal(() => this.refresh());

  constructor(
    private readonly options: SkillFolderOptions,
    private readonly parts: SkillFolderParts,
  ) {
    this.#log = new FolderLog(options.path);
  }

  /**
   * Finds the skills, and serves them.
   *
   * @throws {SkillError} if the folder is not there, or a skill in it cannot be served
   */
  async load(): Promise<readonly ServedSkill[]> {
    const { tree, findings } = await this.#find();
    for (const path of tree.leftOut)
      this.#log.warn(`leaves out ${JSON.stringify(path)}: it is no file of the folder`);
    const found = findings.map((finding) => {
      if ('fault' in finding) throw finding.fault;
      return this.#add(finding.path, this.#build(finding.skill, new FolderFiles(finding.skill)));
    });
    if (found.length === 0) this.#log.warn('has no skill: each is a folder with a SKILL.md');
    return found;
  }

  /** Serves later changes. */
  async watch(): Promise<void> {
    this.#isWatched = true;
    await this.refresh();
  }

  close(): void {
    this.#isWatched = false;
    this.#log.close();
    clearTimeout(this.#lookingAgain);
    this.#renewal.close();
    this.#watcher.close();
  }

  /** Looks again, and serves what is there now. It never rejects: what cannot be served stays as it was, and is logged. */
  refresh(): Promise<void> {
    this.#isAsked = true;
    this.#running ??= this.#refreshWhileAsked().finally(() => (this.#running = undefined));
    return this.#running;
  }

  async #refreshWhileAsked(): Promise<void> {
    while (this.#isAsked) {
      this.#isAsked = false;
      try {
        const { tree, findings } = await this.#find();
        this.#log.forget(UNREADABLE);
        await this.#take(findings);
        if (this.#isWatched && this.#watch(tree)) this.#isAsked = true;
      } catch (error) {
        this.#log.warn(UNREADABLE, error);
        this.#lookAgain();
      }
    }
  }

  /** Where the folder is may be another place tomorrow: a link leads there. */
  #watch({ folders }: FoundTree): boolean {
    const locations = [...folders.values()].map(({ location }) => location);
    return this.#watcher.watch([resolve(this.options.path), ...locations]);
  }

  /** Nothing tells about a folder that is not there. */
  #lookAgain(): void {
    if (!this.#isWatched) return;
    clearTimeout(this.#lookingAgain);
    this.#lookingAgain = setTimeout(() => void this.refresh(), LOOK_AGAIN_MS);
    this.#lookingAgain.unref();
  }

  async #take(findings: readonly SkillFinding[]): Promise<void> {
    for (const finding of findings) {
      if ('fault' in finding) this.#log.warnOf(finding.path, finding.fault);
      else await this.#serve(finding.skill);
    }
    const paths = new Set(findings.map(({ path }) => path));
    for (const [path, skill] of this.#skills) if (!paths.has(path)) this.#remove(path, skill);
  }

  async #serve(found: FoundSkill): Promise<void> {
    try {
      await this.#update(found);
      this.#log.forget(found.path);
    } catch (error) {
      this.#log.warnOf(found.path, error);
    }
  }

  async #update(found: FoundSkill): Promise<void> {
    const present = this.#skills.get(found.path);
    const files = new FolderFiles(found);
    const next = this.#build(found, files);
    // The URIs of all change with the first skill around them.
    if (present !== undefined && present.root !== next.root) this.#remove(found.path, present);
    if (present?.root !== next.root) return void this.#add(found.path, next);
    const isStale = this.#stale.delete(found.path);
    const isSame = files.equals(present.parts.files as FolderFiles);
    // Of files that cannot be read nobody was told anything that could be wrong.
    if (isSame && (!isStale || present.manifest.known === undefined)) return;
    // Entries that clients know must be announced again at once.
    if (present.manifest.known !== undefined) await next.manifest.get();
    this.#skills.set(found.path, next);
    this.parts.shelf.replace(next);
    for (const path of listChanged(present, next)) this.parts.tellUpdated(`${next.root}/${encodePath(path)}`);
  }

  #add(path: string, skill: ServedSkill): ServedSkill {
    this.parts.shelf.add(skill);
    this.#skills.set(path, skill);
    return skill;
  }

  #remove(path: string, skill: ServedSkill): void {
    this.#skills.delete(path);
    this.parts.shelf.remove(skill);
  }

  #build({ path, frontmatter }: FoundSkill, files: FolderFiles): ServedSkill {
    const { prefix, requiredScopes, isPublic, concurrency, visible, tags, origin } = this.options;
    const below = this.#rootName === undefined ? encodePath(path) : `${this.#rootName}/${encodePath(path)}`;
    const own = path === '' ? frontmatter.name : below;
    return new ServedSkill({
      path: prefix === undefined ? own : `${prefix}/${own}`,
      place: path === '' ? this.options.path : `${this.options.path}/${path}`,
      frontmatter,
      files,
      owner: this,
      onStale: () => this.#renew(path),
      ...(requiredScopes && { requiredScopes }),
      ...(isPublic !== undefined && { isPublic }),
      ...(concurrency && { concurrency }),
      ...(visible && { visible }),
      ...(tags && { tags }),
      ...(origin && { origin }),
    });
  }

  #renew(path: string): Promise<void> {
    this.#stale.add(path);
    return this.#renewal.ask();
  }

  async #find(): Promise<{ readonly tree: FoundTree; readonly findings: readonly SkillFinding[] }> {
    const given = this.options.path;
    try {
      const location = await realpath(resolve(given));
      const others = await this.#locateOthers();
      const tree = await scanFolder(location, { ...BOUNDS, others });
      const name = basename(resolve(given));
      const findings = await findSkills(tree, { given, name });
      const root = findings.find(({ path }) => path === '');
      // One that cannot be served yet changes no URI of others.
      this.#rootName = root && ('skill' in root || this.#skills.has('')) ? name : undefined;
      return { tree, findings };
    } catch (error) {
      throw explain(given, error);
    }
  }

  async #locateOthers(): Promise<readonly string[]> {
    const given = this.parts.listOthers?.() ?? [];
    const located = await Promise.all(given.map((path) => realpath(resolve(path)).catch(() => undefined)));
    return located.filter((location) => location !== undefined);
  }
}

function explain(given: string, error: unknown): unknown {
  if (error instanceof SkillError) return error;
  if (error instanceof TreeTooLargeError) return new SkillError(given, error.message, { cause: error });
  if (isMissing(error)) {
    const explanation = `there is no such folder: "${resolve(given)}"`;
    return new SkillError(given, explanation, { cause: error });
  }
  const reason = explainError(error);
  return new SkillError(given, `it cannot be read: ${reason}`, { cause: error });
}

/** Lists the files that are there now and were not, or were others, and those that are gone. */
function listChanged(before: ServedSkill, now: ServedSkill): readonly string[] {
  const paths = new Set([before, now].flatMap(({ parts }) => (parts.files as FolderFiles).list()));
  return [...paths].filter((path) => {
    const digest = now.manifest.findDigest(path);
    const known = before.manifest.findDigest(path);
    if (digest !== undefined && known !== undefined) return digest !== known;
    return !(now.parts.files as FolderFiles).keeps(path, before.parts.files as FolderFiles);
  });
}
