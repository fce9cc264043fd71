import { dirname, resolve } from 'node:path';
import type { OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';
import { FolderWatcher } from '../../../core/folders/folder-watcher.js';
import { explainError } from '../../../core/log/describe-failure.js';
import { Logger } from '../../../core/logger/logger.js';
import { APPS_EXTENSION_ID } from '../../../core/protocol/apps/app-meta.js';
import { findAppProblems, formatAppProblem } from '../../../core/protocol/apps/find-app-problems.js';
import { CatalogError } from '../../catalog/catalog.error.js';
import type {
  AppPage,
  Invoke,
  ResourceEntry,
  ResourceTemplateEntry,
  ToolEntry,
} from '../../catalog/entries.js';
import type { Registries } from '../../catalog/registries.js';
import type { NewEntry } from '../../catalog/registry.js';
import type { McpExtensions } from '../../dispatch/mcp-extensions.js';
import type { McpNotifier } from '../../notifications/mcp-notifier.js';
import type { ServerSettings } from '../../settings/server-settings.js';
import { AppLinker, GeneratedPages } from './app-linker.js';
import { AppPageError } from './inline-assets.js';
import { readPage } from './read-page.js';

/** Caches app pages that are read from files. */
class AppPages {
  readonly #pages = new Map<string, string>();
  /** Each page's folders, by its path. */
  readonly #folders = new Map<string, ReadonlySet<string>>();

  constructor(private readonly settings: Pick<ServerSettings, 'apps' | 'limits'>) {}

  /** The folders to watch, including folders in which a file is missing. */
  get folders(): ReadonlySet<string> {
    return new Set([...this.#folders.values()].flatMap((folders) => [...folders]));
  }

  /**
   * Adds an app's page to its resource.
   *
   * @throws {AppPageError} if the page does not exist or cannot be served
   */
  complete(entry: NewEntry<ResourceEntry>): NewEntry<ResourceEntry> {
    const { app } = entry;
    if (app?.source === undefined) return entry;
    const source = { ...app.source, path: resolve(this.settings.apps.directory, app.source.path) };
    const html = this.#pages.get(source.path) ?? this.reload(source);
    this.#assertSent(html, source.path, entry.resultBytes);
    const invoke = showPage(entry.invoke, html);
    return { ...entry, invoke, app: { ...app, source, html } };
  }

  /**
   * Rereads a page and returns it.
   *
   * @throws {AppPageError} if it cannot be served; the previous page stays
   */
  reload(source: NonNullable<AppPage['source']>): string {
    const { path } = source;
    const folders = new Set<string>();
    const note = (folder: string): void => void folders.add(folder);
    const present = this.#folders.get(path) ?? [];
    try {
      const html = readPage(source, { maxBytes: this.settings.limits.resourceBytes, note });
      this.#folders.set(path, folders);
      this.#pages.set(path, html);
      return html;
    } catch (error) {
      // Folders with missing files are watched too, to detect when the files reappear.
      this.#folders.set(path, new Set([...present, ...folders, dirname(path)]));
      throw error;
    }
  }

  /** Drops a rejected page, so it is read again. */
  forget({ app }: Pick<ResourceEntry, 'app'>): void {
    if (app?.source !== undefined) this.#pages.delete(resolve(this.settings.apps.directory, app.source.path));
  }

  /** Restores the previous page. */
  restore({ path }: NonNullable<AppPage['source']>, html: string): void {
    this.#pages.set(path, html);
  }

  #assertSent(html: string, path: string, own: number | undefined): void {
    const maxBytes = own ?? this.settings.limits.resultBytes;
    if (maxBytes === Infinity || Buffer.byteLength(JSON.stringify(html)) < maxBytes) return;
    throw new AppPageError(
      `"${path}" is too long for a response of ${maxBytes} bytes: raise "resultBytes" or make it shorter`,
    );
  }
}

/** The original handlers: a reloaded page must replace the previous one instead of wrapping it. */
const handlers = new WeakMap<Invoke, Invoke>();

/** Passes an app page to its handler. Returns the page if the handler returns nothing. */
function showPage(invoke: Invoke, html: string): Invoke {
  const handler = handlers.get(invoke) ?? invoke;
  const shown: Invoke = (args, context) => {
    const given = handler({ ...(args as object), html }, context);
    return given instanceof Promise ? given.then((value: unknown) => value ?? html) : (given ?? html);
  };
  handlers.set(shown, handler);
  return shown;
}

/**
 * Serves apps, the pages that hosts show for tool results. Once all apps are registered, it reads, links and checks
 * their pages, which the catalog lists and serves.
 *
 * @see SEP-1865, "MCP Apps"
 */
export class AppsExtension implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #logger = new Logger('McpApps');
  readonly #pages: AppPages;
  readonly #linker: AppLinker;
  readonly #logged = new Set<string>();
  #watcher: FolderWatcher | undefined;
  #isComplete = false;
  #isDeclared = false;

  constructor(
    private readonly registries: Registries,
    private readonly extensions: McpExtensions,
    private readonly notifier: McpNotifier,
    private readonly settings: ServerSettings,
  ) {
    const { tools, resources, templates } = registries;
    this.#pages = new AppPages(settings);
    this.#linker = new AppLinker(new GeneratedPages(tools, resources), resources, templates, settings);
    resources.completeWith({ complete: (entry) => this.#completeResource(entry) });
    templates.completeWith({ complete: (entry) => this.#noteTemplate(entry) });
    tools.completeWith({ complete: (entry) => (this.#isComplete ? this.#completeTool(entry) : entry) });
  }

  /**
   * Links tools with their apps, which may be declared later than the tools, and checks the pages.
   *
   * @throws {CatalogError} if an app does not exist, or its page cannot work
   */
  onApplicationBootstrap(): void {
    for (const tool of this.registries.tools.list()) {
      const complete = this.#completeTool(tool);
      if (complete !== tool) this.registries.tools.replace(complete);
    }
    this.#isComplete = true;
    for (const resource of this.registries.resources.list()) this.#check(resource);
    const entries = [
      ...this.registries.tools.list(),
      ...this.registries.resources.list(),
      ...this.registries.templates.list(),
    ];
    if (entries.some(({ app }) => app !== undefined)) this.#declare();
    this.#startWatching();
  }

  onModuleDestroy(): void {
    this.#watcher?.close();
  }

  #completeTool(tool: NewEntry<ToolEntry>): NewEntry<ToolEntry> {
    const complete = explain(tool, () => this.#linker.link(tool));
    if (this.#isComplete && complete.app !== undefined) this.#declare();
    return complete;
  }

  #noteTemplate(template: NewEntry<ResourceTemplateEntry>): NewEntry<ResourceTemplateEntry> {
    if (this.#isComplete && template.app !== undefined) this.#declare();
    return template;
  }

  #completeResource(resource: NewEntry<ResourceEntry>): NewEntry<ResourceEntry> {
    if (resource.app === undefined) return resource;
    try {
      const complete = this.#pages.complete(resource);
      if (!this.#isComplete) return complete;
      this.#check(complete);
      this.#declare();
      this.#watchSources();
      return complete;
    } catch (error) {
      this.#pages.forget(resource);
      throw error;
    }
  }

  /** Rejects a page with a feature that certainly fails in hosts. A feature that may fail is logged once. */
  #check(resource: NewEntry<ResourceEntry>): void {
    const { app, key } = resource;
    if (app?.html === undefined) return;
    const problems = findAppProblems(app.html, app.meta);
    const certain = problems.find(({ isCertain }) => isCertain);
    if (certain !== undefined) {
      throw CatalogError.invalid(`The app "${key}" ${formatAppProblem(certain)}`);
    }
    for (const problem of problems) this.#warnOnce(`The app "${key}" ${formatAppProblem(problem)}`);
  }

  #declare(): void {
    if (this.#isDeclared) return;
    this.#isDeclared = true;
    this.extensions.register({ id: APPS_EXTENSION_ID, published: {} });
  }

  #startWatching(): void {
    if (!this.settings.apps.watch) return;
    this.#watcher = new FolderWatcher({
      onChange: () => this.#reloadAll(),
      onProblem: (folder, error) =>
        this.#warnOnce(`Changes in "${folder}" are not watched: ${explainError(error)}`),
    });
    if (this.#watchSources()) this.#reloadAll();
  }

  /** Watches the page folders. Returns whether files may already have changed. */
  #watchSources(): boolean {
    return this.#watcher?.watch(this.#pages.folders) === true;
  }

  #reloadAll(): void {
    do for (const resource of this.registries.resources.list()) this.#reload(resource);
    while (this.#watchSources());
  }

  /** Reloads a page. If it cannot be served, it is probably being edited, so the previous version stays. */
  #reload(resource: ResourceEntry): void {
    const { app, key } = resource;
    if (app?.source === undefined) return;
    try {
      if (this.#pages.reload(app.source) === app.html) return;
      this.registries.resources.replace(resource);
      this.notifier.resourceUpdated(key);
    } catch (error) {
      if (app.html !== undefined) this.#pages.restore(app.source, app.html);
      this.#logger.warn(`The app "${key}" was not updated: ${explainError(error)}`);
    }
  }

  #warnOnce(line: string): void {
    if (this.#logged.has(line)) return;
    this.#logged.add(line);
    this.#logger.warn(line);
  }
}

/** Adds the tool to the error, with its class and method if it has them. */
function explain<Result>({ origin, key: name }: NewEntry<ToolEntry>, act: () => Result): Result {
  try {
    return act();
  } catch (error) {
    if (!(error instanceof AppPageError)) throw error;
    const { classRef, method } = origin ?? {};
    if (classRef === undefined || method === undefined) throw CatalogError.unusable('tool', name, error);
    throw CatalogError.at({ kind: 'tool', className: classRef.name, methodName: method.name }, error);
  }
}
