import { resolve } from 'node:path';
import type { AppPage, Invoke, ResourceEntry } from '../../catalogue/entries.js';
import type { Unplaced } from '../../catalogue/registry.js';
import type { ServerSettings } from '../../settings/server-settings.js';
import { AppPageError } from './app-page.error.js';
import { readPage, type ReadPage } from './read-page.js';

/** Keeps the pages of apps that are files: each is read once, whoever asks for it. */
export class AppPages {
  readonly #pages = new Map<string, ReadPage>();

  constructor(private readonly settings: Pick<ServerSettings, 'apps' | 'limits'>) {}

  /** The folders that pages were read from. */
  get folders(): ReadonlySet<string> {
    return new Set([...this.#pages.values()].flatMap(({ folders }) => [...folders]));
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
    const { html } = this.#read(source);
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
    const page = readPage(source, this.settings.limits.resourceBytes);
    this.#pages.set(source.path, page);
    return page.html;
  }

  #read(source: NonNullable<AppPage['source']>): ReadPage {
    const present = this.#pages.get(source.path);
    if (present !== undefined) return present;
    const page = readPage(source, this.settings.limits.resourceBytes);
    this.#pages.set(source.path, page);
    return page;
  }

  #assertSent(html: string, path: string, own: number | undefined): void {
    const maximumBytes = own ?? this.settings.limits.resultBytes;
    if (maximumBytes === Infinity || Buffer.byteLength(JSON.stringify(html)) < maximumBytes) return;
    throw new AppPageError(
      `"${path}" is too long to be sent in an answer of ${maximumBytes} bytes: raise "resultBytes" or make it shorter`,
    );
  }
}

/** The handlers that pages stand around, so that a page that is read again does not stand around the one before. */
const handlers = new WeakMap<Invoke, Invoke>();

/** Has the handler of an app see the page, and gives the page if the handler gives nothing. */
function showPage(invoke: Invoke, html: string): Invoke {
  const handler = handlers.get(invoke) ?? invoke;
  const shown: Invoke = (args, context) => {
    const given = handler({ ...(args as object), html }, context);
    return given instanceof Promise ? given.then((value: unknown) => value ?? html) : (given ?? html);
  };
  handlers.set(shown, handler);
  return shown;
}
