import { dirname, resolve } from 'node:path';
import type { AppPage, Invoke, ResourceEntry } from '../../catalogue/entries.js';
import type { Unplaced } from '../../catalogue/registry.js';
import type { ServerSettings } from '../../settings/server-settings.js';
import { AppPageError } from './app-page.error.js';
import { readPage } from './read-page.js';

/** Keeps the pages of apps that are files. Each is read once for all callers. */
export class AppPages {
  readonly #pages = new Map<string, string>();
  /** The folders of each page, by its path. */
  readonly #folders = new Map<string, ReadonlySet<string>>();

  constructor(private readonly settings: Pick<ServerSettings, 'apps' | 'limits'>) {}

  /** The folders of the pages, and the folders in which a file is missing. */
  get folders(): ReadonlySet<string> {
    return new Set([...this.#folders.values()].flatMap((folders) => [...folders]));
  }

  /**
   * Completes the resource of an app with its page.
   *
   * @throws {AppPageError} if that is not there, or cannot be shown
   */
  complete(entry: Unplaced<ResourceEntry>): Unplaced<ResourceEntry> {
    const { app } = entry;
    if (app?.source === undefined) return entry;
    const source = { ...app.source, path: resolve(this.settings.apps.directory, app.source.path) };
    const html = this.#pages.get(source.path) ?? this.renew(source);
    this.#assertSent(html, source.path, entry.resultBytes);
    const invoke = showPage(entry.invoke, html);
    return { ...entry, invoke, app: { ...app, source, html } };
  }

  /**
   * Reads a page again, and gives it as it is now.
   *
   * @throws {AppPageError} if it cannot be shown; the one that was read before stays
   */
  renew(source: NonNullable<AppPage['source']>): string {
    const { path } = source;
    const folders = new Set<string>();
    const note = (folder: string): void => void folders.add(folder);
    const present = this.#folders.get(path) ?? [];
    try {
      const html = readPage(source, { maximumBytes: this.settings.limits.resourceBytes, note });
      this.#folders.set(path, folders);
      this.#pages.set(path, html);
      return html;
    } catch (error) {
      // What is missing may come back where it was.
      this.#folders.set(path, new Set([...present, ...folders, dirname(path)]));
      throw error;
    }
  }

  /** Has a page be as it was. */
  keep({ path }: NonNullable<AppPage['source']>, html: string): void {
    this.#pages.set(path, html);
  }

  #assertSent(html: string, path: string, own: number | undefined): void {
    const maximumBytes = own ?? this.settings.limits.resultBytes;
    if (maximumBytes === Infinity || Buffer.byteLength(JSON.stringify(html)) < maximumBytes) return;
    throw new AppPageError(
      `"${path}" is too long to be sent in an answer of ${maximumBytes} bytes: raise "resultBytes" or make it shorter`,
    );
  }
}

/** The handlers inside the pages, so that a reloaded page replaces the previous one instead of wrapping it. */
const handlers = new WeakMap<Invoke, Invoke>();

/** Passes the page of an app to its handler. Returns the page if the handler returns nothing. */
function showPage(invoke: Invoke, html: string): Invoke {
  const handler = handlers.get(invoke) ?? invoke;
  const shown: Invoke = (args, context) => {
    const given = handler({ ...(args as object), html }, context);
    return given instanceof Promise ? given.then((value: unknown) => value ?? html) : (given ?? html);
  };
  handlers.set(shown, handler);
  return shown;
}
