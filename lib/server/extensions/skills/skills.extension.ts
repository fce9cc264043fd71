import type { OnApplicationBootstrap, OnModuleDestroy, OnModuleInit } from '@nestjs/common';
import { SKILLS_EXTENSION } from '../../../core/skills/skill.js';
import type { HandlerInvoker } from '../../catalog/invocation/handler-invoker.js';
import type { McpExtensions } from '../../dispatch/mcp-extensions.js';
import type { McpNotifier } from '../../notifications/mcp-notifier.js';
import { buildSkillsSettings } from '../../settings/extensions/skills-options.js';
import { McpConfigurationError } from '../../settings/mcp-configuration.error.js';
import type { ServerSettings } from '../../settings/server-settings.js';
import { SkillFolder, type SkillFolderOptions } from './folders/skill-folder.js';
import type { SkillsMethods } from './methods/skills-methods.js';
import { buildOrigin, buildSkill, StaticFiles } from './providers/build-skill.js';
import type { SkillExplorer, DeclaredSkill } from './providers/skill.explorer.js';
import type { SkillRegistry } from './skill-registry.js';
import { SkillError } from './skill.error.js';

/**
 * Serves skills from folders and providers.
 *
 * @see MCP extension skills (SEP-2640)
 */
export class SkillsExtension implements OnModuleInit, OnApplicationBootstrap, OnModuleDestroy {
  readonly #folders: SkillFolder[] = [];
  readonly #staticFiles: StaticFiles[] = [];
  /** The paths of the served folders. */
  #paths: readonly string[] = [];

  constructor(
    private readonly extensions: McpExtensions,
    private readonly explorer: SkillExplorer,
    private readonly invoker: HandlerInvoker,
    private readonly skillRegistry: SkillRegistry,
    private readonly methods: SkillsMethods,
    private readonly notifier: McpNotifier,
    private readonly settings: ServerSettings,
  ) {}

  /** @throws {SkillError} if a skill cannot be served */
  async onModuleInit(): Promise<void> {
    const declared = this.explorer.explore();
    if (this.settings.skills === undefined && declared.length === 0) return;
    const { directories, maxSkills } = this.settings.skills ?? buildSkillsSettings();
    this.#register();
    this.skillRegistry.open(maxSkills);
    this.#paths = [
      ...directories.map(({ path }) => path),
      ...declared.flatMap(({ options: { directory } }) => directory ?? []),
    ];
    for (const directory of directories) await this.#addFolder(directory).load();
    for (const skill of declared) await this.#addDeclared(skill);
  }

  /** Generates providers' skills, now that all providers are ready. */
  async onApplicationBootstrap(): Promise<void> {
    for (const files of this.#staticFiles) await files.load();
    const { watch } = this.settings.skills ?? buildSkillsSettings();
    if (watch) await Promise.all(this.#folders.map((folder) => folder.watch()));
  }

  onModuleDestroy(): void {
    for (const folder of this.#folders) folder.close();
  }

  #register(): void {
    if (this.settings.capabilities.resources === false) {
      throw new McpConfigurationError(
        'capabilities.resources',
        'must be enabled to serve skills: clients read them as resources',
      );
    }
    this.extensions.register({
      id: SKILLS_EXTENSION,
      published: { directoryRead: true },
      capabilities: { resources: true },
      methods: this.methods.build(),
    });
  }

  #addFolder(options: SkillFolderOptions): SkillFolder {
    const notifyUpdated = (uri: string) => this.notifier.resourceUpdated(uri);
    const listOthers = () => this.#paths;
    const folder = new SkillFolder(options, { skillRegistry: this.skillRegistry, notifyUpdated, listOthers });
    this.#folders.push(folder);
    return folder;
  }

  async #addDeclared(declared: DeclaredSkill): Promise<void> {
    const { method, methodName } = declared;
    if (method === undefined || methodName === undefined) return this.#addFolderOfClass(declared);
    const skill = buildSkill({ ...declared, method, methodName }, this.invoker);
    const { files } = skill.parts;
    if (files instanceof StaticFiles) this.#staticFiles.push(files);
    this.skillRegistry.add(skill);
  }

  /** Serves a class's folder. Its `SKILL.md` defines the skill, so options must not contradict it. */
  async #addFolderOfClass(declared: DeclaredSkill): Promise<void> {
    const { place, options, access } = declared;
    const { directory = '', prefix, visible, tags, name, description } = options;
    const folder = this.#addFolder({
      path: directory,
      origin: buildOrigin(declared),
      ...access,
      ...(prefix !== undefined && { prefix }),
      ...(visible && { visible }),
      ...(tags && { tags }),
    });
    const own = (await folder.load()).find(({ parts }) => parts.place === directory);
    if (own === undefined) throw new SkillError(place, `the folder "${directory}" has no SKILL.md`);
    const { frontmatter } = own.parts;
    if ((name ?? frontmatter.name) !== frontmatter.name || description !== undefined) {
      throw new SkillError(
        place,
        `SKILL.md in "${directory}" already defines "name" and "description": remove these options`,
      );
    }
  }
}
