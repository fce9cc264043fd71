import type { ResourceContents } from '../../../core/protocol/content.js';
import { decodePath, type Skill, SKILL_FILE, type SkillFrontmatter } from '../../../core/skills/skill.js';
import type { McpContext } from '../../context/mcp-context.interface.js';
import { buildResourceEntry } from '../../catalog/building/build-entries.js';
import type { ResourceEntry } from '../../catalog/entries.js';
import type { NewEntry } from '../../catalog/registry.js';
import type { AccessOptions, ResourceOptions } from '../../settings/handler-options.interface.js';
import { buildContents } from './media-types.js';
import { type SkillFiles, SkillManifest } from './skill-manifest.js';
import { SkillError } from './skill.error.js';

/** The parts of a skill. */
export interface SkillParts extends AccessOptions, Pick<ResourceOptions, 'visible' | 'tags'> {
  /** The path in the server's namespace, for example `acme/billing/refunds`. */
  readonly path: string;
  /** The folder, or the class and the method, for error messages. */
  readonly place: string;
  readonly frontmatter: SkillFrontmatter;
  readonly files: SkillFiles;
  /** Its source. Only skills from the same source may be nested. */
  readonly owner: object;
  readonly origin?: ResourceEntry['origin'];
  /** Called if files have changed since the scan. Resolves once the current files are served. It never rejects. */
  readonly onOutdated?: () => Promise<void>;
}

/** A skill as currently served. It is immutable: a change creates a new one. */
export class ServedSkill {
  /** Its folder's URI. */
  readonly root: string;
  /** The URI of its `SKILL.md`. */
  readonly uri: string;
  readonly manifest: SkillManifest;

  constructor(readonly parts: SkillParts) {
    this.root = `skill://${parts.path}`;
    this.uri = `${this.root}/${SKILL_FILE}`;
    this.manifest = new SkillManifest(this.root, parts.files);
  }

  /**
   * Describes the skill for `skills/list`, if its manifest has been computed.
   *
   * @param hidden nested skills that are hidden from the caller
   */
  describe(hidden: readonly ServedSkill[] = []): Skill | undefined {
    const { known } = this.manifest;
    if (known === undefined) return undefined;
    const resources =
      known === 'dynamic' || hidden.length === 0
        ? known
        : known.filter(({ uri }) => hidden.every((skill) => !skill.contains(uri)));
    return { uri: this.uri, frontmatter: this.parts.frontmatter, resources };
  }

  /** Returns whether a URI is its folder URI or is below it. */
  contains(uri: string): boolean {
    return uri === this.root || uri.startsWith(`${this.root}/`);
  }

  /** Finds the path of a file or folder in the skill; empty for the skill's folder itself. */
  findPath(uri: string): string | undefined {
    if (uri === this.root) return '';
    return uri.startsWith(`${this.root}/`) ? decodePath(uri.slice(this.root.length + 1)) : undefined;
  }

  /** Reads one of the skill's files. */
  async read(uri: string, context: McpContext): Promise<ResourceContents | undefined> {
    const path = this.findPath(uri);
    if (path === undefined || path === '') return undefined;
    const { files, onOutdated } = this.parts;
    const bytes = await files.read(path, context);
    const isAsFound = bytes === undefined ? !files.has(path) : this.manifest.matches(path, bytes);
    if (!isAsFound) void onOutdated?.();
    return bytes && buildContents(uri, path, bytes);
  }

  /**
   * Builds the catalog entry of its `SKILL.md`, which is listed and through which all files are read.
   *
   * @throws {CatalogError} if a scope is invalid, or the skill is public and requires one
   * @throws {SkillError} if its scopes depend on the call
   */
  buildEntry(read: (uri: string, context: McpContext) => unknown): NewEntry<ResourceEntry> {
    const { frontmatter, requiredScopes, isPublic, concurrency, visible, tags, origin } = this.parts;
    const entry = buildResourceEntry(
      {
        uri: this.uri,
        name: frontmatter.name,
        description: frontmatter.description,
        mimeType: 'text/markdown',
        ...(requiredScopes && { requiredScopes }),
        ...(isPublic !== undefined && { isPublic }),
        ...(concurrency && { concurrency }),
        ...(visible && { visible }),
        ...(tags && { tags }),
      },
      (args, context) => read((args as { readonly uri: string }).uri, context),
    );
    if (entry.access?.dynamic !== undefined) {
      throw new SkillError(
        this.parts.place,
        'its scopes depend on a call, but skills are not called: use fixed scopes',
      );
    }
    return { ...entry, isPrebuilt: !this.parts.files.isDynamic, ...(origin && { origin }) };
  }
}
