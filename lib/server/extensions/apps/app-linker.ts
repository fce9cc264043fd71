import { statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import {
  formatAppUri,
  isAppUri,
  UI_META_KEY,
  VISIBILITIES,
  type AppResourceMeta,
  type AppToolMeta,
  type AppVisibility,
} from '../../../core/protocol/apps/app-meta.js';
import { isObject } from '../../../core/protocol/json-rpc.js';
import { quoteAll } from '../../../core/words/words.js';
import { buildAppMeta } from '../../catalog/building/build-app-page.js';
import { buildResourceEntry } from '../../catalog/building/build-entries.js';
import type { ResourceEntry, ToolEntry } from '../../catalog/entries.js';
import type { ResourceRegistry, ResourceTemplateRegistry, ToolRegistry } from '../../catalog/registries.js';
import type { NewEntry } from '../../catalog/registry.js';
import { toPath, type ToolUiOptions } from '../../settings/extensions/app-options.js';
import type { ServerSettings } from '../../settings/server-settings.js';
import { AppPageError } from './inline-assets.js';

/** The page options that a tool declares in addition to the app's. */
type Policy = Omit<ToolUiOptions, 'resource' | 'visibility'>;

/** Matches a name that is not a path. */
const NAME = /^[\w-]+$/;

/** Links tools with their apps. A file that a tool names becomes an app. */
export class AppLinker {
  constructor(
    private readonly generated: GeneratedPages,
    private readonly resources: ResourceRegistry,
    private readonly templates: ResourceTemplateRegistry,
    private readonly settings: Pick<ServerSettings, 'apps' | 'serverInfo'>,
  ) {}

  /**
   * Links a tool with its app.
   *
   * @throws {AppPageError} if the app does not exist, or its declarations contradict each other
   */
  link(tool: NewEntry<ToolEntry>): NewEntry<ToolEntry> {
    const { ui } = tool.options;
    if (ui === undefined) return linkByMeta(tool);
    const { resource, visibility, ...policy } =
      typeof ui === 'string' || ui instanceof URL ? { resource: ui } : ui;
    const resourceUri = resource === undefined ? undefined : this.#find(resource, policy);
    const app: AppToolMeta = {
      ...(resourceUri !== undefined && { resourceUri }),
      ...(visibility && { visibility }),
    };
    return { ...tool, app };
  }

  #find(resource: string | URL, policy: Policy): string {
    if (typeof resource === 'string' && isAppUri(resource)) return this.#findByUri(resource, policy);
    const isName = typeof resource === 'string' && NAME.test(resource);
    const named = isName ? this.#findByName(resource) : undefined;
    if (named !== undefined) return this.#mergePolicy(named, policy);
    const path = resolve(this.settings.apps.directory, toPath(resource));
    if (statSync(path, { throwIfNoEntry: false }) !== undefined) return this.#findByPath(path, policy);
    throw new AppPageError(
      isName
        ? `There is no app "${resource}", and no file or folder "${path}": use the path of a file, or a known app (${this.#listApps()})`
        : `There is no file or folder "${path}": build it first, or correct the path`,
    );
  }

  #findByUri(uri: string, policy: Policy): string {
    const app = this.resources.find(uri);
    if (app?.app !== undefined) return this.#mergePolicy(app, policy);
    if (this.templates.match(uri) !== undefined) return uri;
    throw new AppPageError(
      `There is no app "${uri}": declare it with @App(), or use a known app (${this.#listApps()})`,
    );
  }

  #findByName(name: string): ResourceEntry | undefined {
    return this.resources.list().find(({ app, definition }) => app !== undefined && definition.name === name);
  }

  #findByPath(path: string, policy: Policy): string {
    const present = this.resources.list().find(({ app }) => app?.source?.path === path);
    if (present !== undefined) return this.#mergePolicy(present, policy);
    const name = this.#buildName(path);
    const uri = formatAppUri(this.settings.serverInfo.name, name);
    const existing = this.resources.find(uri);
    if (existing !== undefined) {
      throw new AppPageError(
        `"${path}" and "${existing.app?.source?.path ?? existing.definition.name}" would both have the URI "${uri}": declare one of them with @App() and a "uri"`,
      );
    }
    this.#generate({ uri, name, path }, policy);
    return uri;
  }

  #generate(
    { uri, name, path }: { readonly uri: string; readonly name: string; readonly path: string },
    policy: Policy,
  ): void {
    const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
    const ui = { ...policy, ...(isFolder ? { directory: path } : { file: path }) };
    this.generated.add(buildResourceEntry({ uri, name, ui }, () => undefined));
  }

  /** Checks that every tool declares the same page options. */
  #mergePolicy(app: ResourceEntry, policy: Policy): string {
    const declared = buildAppMeta(policy);
    if (Object.keys(declared).length === 0 || isSame(declared, app.app?.meta)) return app.key;
    if (this.generated.has(app) && Object.keys(app.app?.meta ?? {}).length === 0) {
      this.#declareAgain(app, policy);
      return app.key;
    }
    const [member = 'csp'] = Object.keys(declared);
    throw new AppPageError(
      `The app "${app.key}" is declared with a different "${member}" elsewhere: declare it only once`,
    );
  }

  #declareAgain({ options: { uri, name, ui }, invoke, usedBy }: ResourceEntry, policy: Policy): void {
    const entry = buildResourceEntry({ uri, name, ui: { ...ui, ...policy } }, invoke);
    this.resources.replace({ ...entry, ...(usedBy && { usedBy }) });
  }

  /**
   * Names an app by its path below the apps folder or, outside of it, by its file name, with the folder name for
   * `index.html`.
   */
  #buildName(path: string): string {
    const inside = relative(this.settings.apps.directory, path);
    if (inside !== '' && inside.split(sep)[0] !== '..') return inside.split(sep).join('/');
    return basename(path) === 'index.html' ? join(basename(dirname(path)), 'index.html') : basename(path);
  }

  #listApps(): string {
    const apps = this.resources.list().filter(({ app }) => app !== undefined);
    return apps.length === 0 ? 'none yet' : quoteAll(apps.map(({ key }) => key));
  }
}

function isSame(declared: AppResourceMeta, present: AppResourceMeta | undefined): boolean {
  return JSON.stringify(declared) === JSON.stringify(present ?? {});
}

/** Links a tool by its `_meta`, as other frameworks do. Built-in tools exist without apps. */
function linkByMeta(tool: NewEntry<ToolEntry>): NewEntry<ToolEntry> {
  const ui = tool.definition._meta?.[UI_META_KEY];
  if (!isObject(ui) || tool.isOwn === true) return tool;
  const { resourceUri, visibility } = ui;
  const app: AppToolMeta = {
    ...(typeof resourceUri === 'string' && { resourceUri }),
    ...(isVisibility(visibility) && { visibility }),
  };
  return Object.keys(app).length === 0 ? tool : { ...tool, app };
}

function isVisibility(value: unknown): value is readonly AppVisibility[] {
  return Array.isArray(value) && value.every((one) => VISIBILITIES.includes(one as AppVisibility));
}

type Tools = readonly ToolEntry[];

const NONE: Tools = [];

/** Pages generated from files that tools name. A page is available only to callers that may use one of its tools. */
export class GeneratedPages {
  /** Each page's tools when its lists were last invalidated. */
  readonly #knownTools = new Map<string, Tools>();
  #toolsOf = new Map<string, Tools>();
  #version = -1;

  constructor(
    private readonly tools: ToolRegistry,
    private readonly resources: ResourceRegistry,
  ) {
    tools.changes$.subscribe(() => this.#update());
  }

  /** Returns whether a resource is a page generated this way. */
  has({ usedBy }: Pick<ResourceEntry, 'usedBy'>): boolean {
    return usedBy !== undefined;
  }

  /** Adds a page. */
  add(entry: NewEntry<ResourceEntry>): void {
    const { key } = entry;
    this.#knownTools.set(key, NONE);
    this.resources.add({ ...entry, usedBy: () => this.#list(key) });
  }

  /** Lists the tools that currently name a page. */
  #list(uri: string): Tools {
    if (this.#version !== this.tools.version) {
      this.#version = this.tools.version;
      this.#toolsOf = groupByPage(this.tools.list());
    }
    return this.#toolsOf.get(uri) ?? NONE;
  }

  /** Invalidates a page's cached lists if access to it has changed. */
  #update(): void {
    for (const [uri, known] of this.#knownTools) {
      const page = this.resources.find(uri);
      if (page === undefined || !this.has(page)) {
        this.#knownTools.delete(uri);
        continue;
      }
      const tools = this.#list(uri);
      if (isSameAccess(tools, known)) continue;
      this.#knownTools.set(uri, tools);
      this.resources.replace(page);
    }
  }
}

function groupByPage(tools: Tools): Map<string, Tools> {
  const grouped = new Map<string, ToolEntry[]>();
  for (const tool of tools) {
    const uri = tool.app?.resourceUri;
    if (uri === undefined) continue;
    const others = grouped.get(uri);
    if (others === undefined) grouped.set(uri, [tool]);
    else others.push(tool);
  }
  return grouped;
}

function isSameAccess(tools: Tools, known: Tools): boolean {
  return tools.length === known.length && tools.every((tool, index) => hasSameAccess(tool, known[index]));
}

function hasSameAccess(tool: ToolEntry, other: ToolEntry | undefined): boolean {
  return (
    tool === other ||
    (tool.options.visible === other?.options.visible && formatAccess(tool) === formatAccess(other))
  );
}

function formatAccess(tool: ToolEntry | undefined): string {
  const { scopes = [], isPublic = false } = tool?.access ?? {};
  return JSON.stringify([scopes, isPublic]);
}
