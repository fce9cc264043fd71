import { realpath } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { FolderWatcher } from '../../../../core/folders/folder-watcher.js';
import { explainError } from '../../../../core/log/describe-failure.js';
import { Logger } from '../../../../core/logger/logger.js';
import { encodePath, SKILL_LIMITS } from '../../../../core/skills/skill.js';
import type { SkillDirectory } from '../../../settings/extensions/skills-options.js';
import type { AccessOptions } from '../../../settings/handler-options.interface.js';
import { ServedSkill, type SkillParts } from '../served-skill.js';
import type { SkillFiles } from '../skill-manifest.js';
import type { SkillRegistry } from '../skill-registry.js';
import { SkillError } from '../skill.error.js';
import { findSkills, type FoundSkill, type SkillFinding } from './find-skills.js';
import { isMissing, readFile, scanFolder, TreeTooLargeError, type FoundTree } from './read-folder.js';

/** Milliseconds between two refreshes that readers cause, because they may read as often as they like. */
const REFRESH_INTERVAL_MS = 5000;

/** Throttles refreshes that readers cause. It does not keep the process alive. */
class ThrottledRefresh {
  #renewedAt = -Infinity;
  #running: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly renew: () => Promise<void>) {}

  /** Requests a refresh. Resolves once it is done, or immediately if it is postponed. */
  async ask(): Promise<void> {
    const waitMs = this.#renewedAt + REFRESH_INTERVAL_MS - performance.now();
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

const UNREADABLE = 'cannot be read: its skills are not updated';

/** Logs warnings about a skill folder, without repeating a warning that still applies. */
class FolderLog {
  readonly #logger = new Logger('McpSkills');
  /** The last warnings about the folder and each of its skills. */
  readonly #reported = new Map<string, string>();
  #isClosed = false;

  /** @param folder the path as configured */
  constructor(private readonly folder: string) {}

  warn(what: string, error?: unknown): void {
    const reason = error instanceof Error ? `: ${error.message}` : '';
    this.#tell(what, `The skill folder "${this.folder}" ${what}${reason}`);
  }

  /** Logs why a skill was not updated. */
  warnAboutSkill(path: string, error: unknown): void {
    this.#tell(path, `${explainError(error)} (the previous version stays in use)`);
  }

  /** Clears a warning that no longer applies. */
  forget(about: string): void {
    this.#reported.delete(about);
  }

  /** Stops logging, for example about a folder that is removed after shutdown. */
  close(): void {
    this.#isClosed = true;
  }

  #tell(about: string, line: string): void {
    if (this.#isClosed || this.#reported.get(about) === line) return;
    this.#reported.set(about, line);
    this.#logger.warn(line);
  }
}

/** A skill's files as found in its folder. Contents are read on demand. */
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

  /** Returns whether the files are the same and unchanged. */
  equals(other: FolderFiles): boolean {
    return this.#format() === other.#format();
  }

  /** Returns whether a file is the same and unchanged. */
  hasSame(path: string, other: FolderFiles): boolean {
    return this.skill.files.get(path)?.stamp === other.skill.files.get(path)?.stamp;
  }

  #format(): string {
    const files = [...this.skill.files].map(([path, { stamp }]) => [path, stamp]);
    return JSON.stringify([files, [...this.skill.folders], this.skill.frontmatter]);
  }
}

/** A larger folder is probably a whole application or a home folder. */
const BOUNDS = { entries: 20_000, depth: 16 };

/** Milliseconds between two attempts to scan an unreadable folder. */
const RETRY_MS = 1000;

/** A skill folder and the access that its skills require. */
export type SkillFolderOptions = Omit<SkillDirectory, 'requiredScopes'> &
  AccessOptions &
  Pick<SkillParts, 'origin' | 'tags'>;

/** The parts of a skill folder. */
export interface SkillFolderParts {
  readonly skillRegistry: SkillRegistry;
  /** Notifies clients that a file has changed. */
  readonly notifyUpdated: (uri: string) => void;
  /** Lists the folders that are served separately and so are not part of this one. @default none */
  readonly listOthers?: () => readonly string[];
}

/** A folder's skills, scanned when the server starts and when the folder changes. */
export class SkillFolder {
  readonly #log: FolderLog;
  readonly #skills = new Map<string, ServedSkill>();
  /** The paths of skills whose contents changed even though their file stamps did not. */
  readonly #outdated = new Set<string>();
  readonly #watcher = new FolderWatcher({
    onChange: () => void this.refresh(),
    onProblem: (_folder, error) => {
      this.#log.warn('is no longer watched: restart the application to see changes', error);
      this.#watcher.close();
    },
  });
  #running: Promise<void> | undefined;
  #isAsked = false;
  #isWatched = false;
  /** The folder name, if the folder is itself a skill; its subfolders then belong to that skill. */
  #rootName: string | undefined;
  #retryTimer: NodeJS.Timeout | undefined;
  readonly #throttled = new ThrottledRefresh(() => this.refresh());

  constructor(
    private readonly options: SkillFolderOptions,
    private readonly parts: SkillFolderParts,
  ) {
    this.#log = new FolderLog(options.path);
  }

  /**
   * Finds and serves the skills.
   *
   * @throws {SkillError} if the folder does not exist, or a skill in it cannot be served
   */
  async load(): Promise<readonly ServedSkill[]> {
    const { tree, findings } = await this.#find();
    for (const path of tree.skipped)
      this.#log.warn(`skips ${JSON.stringify(path)}: it is not a regular file inside the folder`);
    const found = findings.map((finding) => {
      if ('problem' in finding) throw finding.problem;
      return this.#add(finding.path, this.#build(finding.skill, new FolderFiles(finding.skill)));
    });
    if (found.length === 0) this.#log.warn('contains no skills: a skill is a folder with a SKILL.md');
    return found;
  }

  /** Watches for changes and serves them. */
  async watch(): Promise<void> {
    this.#isWatched = true;
    await this.refresh();
  }

  close(): void {
    this.#isWatched = false;
    this.#log.close();
    clearTimeout(this.#retryTimer);
    this.#throttled.close();
    this.#watcher.close();
  }

  /**
   * Rescans the folder and serves the changes. It never rejects: a skill that cannot be served is not updated, and a
   * warning is logged.
   */
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
        this.#retryLater();
      }
    }
  }

  /** Watches the configured path too, because it may be a link that is replaced. */
  #watch({ folders }: FoundTree): boolean {
    const locations = [...folders.values()].map(({ location }) => location);
    return this.#watcher.watch([resolve(this.options.path), ...locations]);
  }

  /** Schedules another scan, because a folder that does not exist cannot be watched. */
  #retryLater(): void {
    if (!this.#isWatched) return;
    clearTimeout(this.#retryTimer);
    this.#retryTimer = setTimeout(() => void this.refresh(), RETRY_MS);
    this.#retryTimer.unref();
  }

  async #take(findings: readonly SkillFinding[]): Promise<void> {
    for (const finding of findings) {
      if ('problem' in finding) this.#log.warnAboutSkill(finding.path, finding.problem);
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
      this.#log.warnAboutSkill(found.path, error);
    }
  }

  async #update(found: FoundSkill): Promise<void> {
    const present = this.#skills.get(found.path);
    const files = new FolderFiles(found);
    const next = this.#build(found, files);
    // URIs of nested skills change when the folder itself becomes a skill.
    if (present !== undefined && present.root !== next.root) this.#remove(found.path, present);
    if (present?.root !== next.root) return void this.#add(found.path, next);
    const isOutdated = this.#outdated.delete(found.path);
    const isSame = files.equals(present.parts.files as FolderFiles);
    // Without a manifest, no client has digests that could be wrong.
    if (isSame && (!isOutdated || present.manifest.known === undefined)) return;
    // Clients have the previous manifest, so the new one must be complete before it is served.
    if (present.manifest.known !== undefined) await next.manifest.get();
    this.#skills.set(found.path, next);
    this.parts.skillRegistry.replace(next);
    for (const path of listChanged(present, next))
      this.parts.notifyUpdated(`${next.root}/${encodePath(path)}`);
  }

  #add(path: string, skill: ServedSkill): ServedSkill {
    this.parts.skillRegistry.add(skill);
    this.#skills.set(path, skill);
    return skill;
  }

  #remove(path: string, skill: ServedSkill): void {
    this.#skills.delete(path);
    this.parts.skillRegistry.remove(skill);
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
      onOutdated: () => this.#renew(path),
      ...(requiredScopes && { requiredScopes }),
      ...(isPublic !== undefined && { isPublic }),
      ...(concurrency && { concurrency }),
      ...(visible && { visible }),
      ...(tags && { tags }),
      ...(origin && { origin }),
    });
  }

  #renew(path: string): Promise<void> {
    this.#outdated.add(path);
    return this.#throttled.ask();
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
      // A root skill that cannot be served yet does not change the URIs of other skills.
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

/** Lists the files that were added, changed or removed. */
function listChanged(before: ServedSkill, now: ServedSkill): readonly string[] {
  const paths = new Set([before, now].flatMap(({ parts }) => (parts.files as FolderFiles).list()));
  return [...paths].filter((path) => {
    const digest = now.manifest.findDigest(path);
    const known = before.manifest.findDigest(path);
    if (digest !== undefined && known !== undefined) return digest !== known;
    return !(now.parts.files as FolderFiles).hasSame(path, before.parts.files as FolderFiles);
  });
}
