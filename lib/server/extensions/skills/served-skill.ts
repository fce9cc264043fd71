import type { ResourceContents } from '../../../core/protocol/content.js';
import { SKILL_FILE, type Skill, type SkillFrontmatter } from '../../../core/skills/skill.js';
import { decodePath } from '../../../core/skills/skill-uri.js';
import type { McpContext } from '../../context/mcp-context.interface.js';
import { buildResourceEntry } from '../../catalog/building/build-entries.js';
import type { ResourceEntry } from '../../catalog/entries.js';
import type { Unplaced } from '../../catalog/registry.js';
import type { AccessOptions, ResourceOptions } from '../../settings/handler-options.interface.js';
import { buildContents } from './media-types.js';
import { type SkillFiles, SkillManifest } from './skill-manifest.js';
import { SkillError } from './skill.error.js';

/** The parts of a skill. */
export interface SkillParts extends AccessOptions, Pick<ResourceOptions, 'visible' | 'tags'> {
  /** Where it stands in the server's namespace, for example `acme/billing/refunds`. */
  readonly path: string;
  /** Where it is, for error texts. */
  readonly place: string;
  readonly frontmatter: SkillFrontmatter;
  readonly files: SkillFiles;
  /** What it comes from: skills of one origin may lie in one another. */
  readonly owner: object;
  readonly origin?: ResourceEntry['origin'];
  /** Is called if the files have changed since they were found. Resolves when the current files are served. It never rejects. */
  readonly onStale?: () => Promise<void>;
}

/** One skill as the server has it now. What changes becomes another one. */
export class ServedSkill {
  /** The URI of its folder. */
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
   * Describes it as `skills/list` does, as far as its manifest is known.
   *
   * @param hidden skills in it that there are not, for whoever asks
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

  /** Tells whether a URI is that of its folder, or lies in it. */
  contains(uri: string): boolean {
    return uri === this.root || uri.startsWith(`${this.root}/`);
  }

  /** Finds the path of a file or a folder of the skill; an empty one for its own folder. */
  findPath(uri: string): string | undefined {
    if (uri === this.root) return '';
    return uri.startsWith(`${this.root}/`) ? decodePath(uri.slice(this.root.length + 1)) : undefined;
  }

  /** Reads one of its files. */
  async read(uri: string, context: McpContext): Promise<ResourceContents | undefined> {
    const path = this.findPath(uri);
    if (path === undefined || path === '') return undefined;
    const { files, onStale } = this.parts;
    const bytes = await files.read(path, context);
    const isAsFound = bytes === undefined ? !files.has(path) : this.manifest.agrees(path, bytes);
    if (!isAsFound) void onStale?.();
    return bytes && buildContents(uri, path, bytes);
  }

  /**
   * Builds its entry in the catalog: its `SKILL.md`, which is listed, and through which all its files are read.
   *
   * @throws {CatalogError} if a scope is not one, or it is public and requires one
   * @throws {SkillError} if its scopes depend on the call
   */
  buildEntry(read: (uri: string, context: McpContext) => unknown): Unplaced<ResourceEntry> {
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
        'its scopes depend on the call, and a skill has no call: name fixed scopes',
      );
    }
    return { ...entry, isMade: !this.parts.files.isDynamic, ...(origin && { origin }) };
  }
}
