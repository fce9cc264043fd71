import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { CursorError, formatCursor, type PaginatedList, parseCursor } from '../../../core/protocol/cursor.js';
import type { Encoded } from '../../../core/protocol/encoding/encode-definition.js';
import { encodeCacheHint, sealResult } from '../../../core/protocol/encoding/encode-result.js';
import { SerializedResult } from '../../../core/protocol/outbound-message.js';
import type { CacheHint } from '../../../core/protocol/results.js';
import type { Revision } from '../../../core/protocol/revisions.js';
import type { CatalogEntry, Access, ToolEntry } from '../../catalog/entries.js';
import type { Entry, EntryList } from '../../catalog/registry.js';
import { Visibility } from '../../catalog/visibility/visibility.js';
import type { RequestContext } from '../../context/request-context.js';
import type { ServerSettings } from '../../settings/server-settings.js';
import { limitTime } from '../time-limit.js';
import { mergeScopes } from '../../../core/oauth/scope.js';
import { listAccessPaths } from '../../catalog/access-paths.js';
import type { AuthView } from '../../context/auth-view.interface.js';
import { McpError } from '../../../core/protocol/mcp.error.js';
import { declaresApps } from '../../../core/protocol/apps/app-meta.js';
import { isWithoutSession } from '../../sessions/session-opening.interface.js';

/** How to present one of the catalog's lists. */
export interface ListSource<Listed extends CatalogEntry> {
  readonly registry: EntryList<Listed>;
  /** The result's property, and its cursors' kind. */
  readonly list: PaginatedList;
  /**
   * @param showsApps whether the client shows apps; if not, app-only entries are not encoded
   * @param sees returns whether the caller sees part of the entry
   */
  readonly encode: (
    entry: Listed,
    revision: Revision,
    showsApps: boolean,
    sees: (part: Listed) => boolean,
  ) => Encoded;
  /** Lists the visible entries in one form. @default none */
  readonly listParts?: (entry: Listed) => readonly Listed[];
  /** Returns whether an entry is useless to a client without apps. @default no entry is */
  readonly isForAppsAlone?: (entry: Listed) => boolean;
  readonly hint: CacheHint;
  /** Returns whether the list contains an entry of the registry. @default every entry */
  readonly has?: (entry: Listed) => boolean;
}

/** The part of a list that one caller sees, in the form for its client. */
interface ShownView<Listed> extends View<Listed> {
  /** @default false */
  readonly showsApps?: boolean;
  /** Returns whether part of an entry is visible. @default every listed part */
  readonly sees?: (part: Listed) => boolean;
}

/**
 * The maximum number of serialized pages in the cache, besides the unfiltered first page. The least recently used
 * ones are evicted.
 */
const MOST_PAGES = 64;

const LONGEST_KEY = 256;

/** The pages of one list. Each is serialized on first use and cached until the catalog changes. */
export class ListPages<Listed extends CatalogEntry> {
  readonly #scopes: ListVisibility<Listed>;
  readonly #hint: CacheHint;
  /** The unfiltered first pages, by revision. */
  readonly #firstPages = new Map<string, SerializedResult>();
  readonly #pages = new LRUCache<string, SerializedResult>({ max: MOST_PAGES });
  #version = -1;
  /** Whether the application hides any entry from any caller. */
  #isConditional = false;
  /** Whether any entry belongs to an app. If so, clients that do not show apps see a different list. */
  #hasApps = false;

  constructor(
    private readonly source: ListSource<Listed>,
    private readonly settings: ServerSettings,
    private readonly visibility: Visibility,
  ) {
    const isFiltered = settings.auth?.filterLists === true;
    this.#scopes = new ListVisibility(source.registry, isFiltered);
    // A list that depends on the caller must not be cached for other callers.
    this.#hint = isFiltered ? { ...source.hint, scope: 'private' } : source.hint;
  }

  /**
   * Returns the requested page.
   *
   * @param noted a promise that the response must await, if there is one
   * @throws {McpError} -32602 if this server did not issue its cursor
   * @see MCP server/utilities/pagination
   */
  read(context: RequestContext, noted?: Promise<unknown>): SerializedResult | Promise<SerializedResult> {
    if (noted !== undefined) return noted.then(() => this.read(context));
    const { params, revision, auth } = context;
    const after = parseAfter(this.source.list, params['cursor']);
    if (this.#version !== this.source.registry.version) this.#reset();
    const view = this.#selectView(this.#scopes.find(auth), context);
    return this.#isConditional
      ? this.#readVisible(context, after, view)
      : this.#getPage(after, revision, view);
  }

  #reset(): void {
    const { registry } = this.source;
    this.#firstPages.clear();
    this.#pages.clear();
    this.#version = registry.version;
    this.#isConditional = this.visibility.isConditional(registry.list());
    this.#hasApps = registry.list().some(isOfApp);
  }

  #selectView(view: View<Listed>, context: RequestContext): ShownView<Listed> {
    if (!this.#hasApps) return view;
    const { isForAppsAlone: isAppOnly } = this.source;
    if (showsApps(context, this.settings)) return { ...view, showsApps: true };
    if (isAppOnly === undefined) return view;
    return {
      key: `${view.key} text`,
      shows: (entry) => !isAppOnly(entry) && view.shows?.(entry) !== false,
    };
  }

  /** Determines which of the page's entries, and the first entry after it, the caller sees. */
  async #readVisible(
    context: RequestContext,
    after: number,
    view: ShownView<Listed>,
  ): Promise<SerializedResult> {
    const { registry, has } = this.source;
    const { version } = registry;
    const { pageSize, callTimeoutMs } = this.settings;
    const entries = registry
      .list()
      .filter((entry) => entry.sequence > after && has?.(entry) !== false && view.shows?.(entry) !== false);
    const { seen, parts } = await limitTime(context, callTimeoutMs, async () => {
      const listed = await this.visibility.select(entries, pageSize + 1, context, view.admits);
      return { seen: listed, parts: await this.#selectParts(listed, context, view) };
    });
    const shown = {
      ...view,
      key: `${formatSeen(seen)} ${formatSeen(parts)}`,
      shows: (entry: Listed) => seen.has(entry),
      sees: (part: Listed) => parts.has(part),
    };
    // Changes during the visibility check are not shown yet, so such a page is not cached.
    if (registry.version !== version) return this.#serialize(after, context.revision, shown);
    return this.#getPage(after, context.revision, shown);
  }

  async #selectParts(
    entries: ReadonlySet<Listed>,
    context: RequestContext,
    { shows, admits }: ShownView<Listed>,
  ): Promise<ReadonlySet<Listed>> {
    const { listParts } = this.source;
    if (listParts === undefined) return new Set();
    const parts = [...entries].flatMap(listParts).filter((part) => shows?.(part) !== false);
    return this.visibility.select([...new Set(parts)], Infinity, context, admits);
  }

  #getPage(after: number, revision: Revision, view: ShownView<Listed>): SerializedResult {
    const isFirst = after === 0 && view.shows === undefined;
    const pages = isFirst ? this.#firstPages : this.#pages;
    const form = view.showsApps === true ? `${revision.version} apps` : revision.version;
    const key = isFirst ? form : `${form} ${after} ${view.key}`;
    const cached = pages.get(key);
    if (cached !== undefined) return cached;
    const page = this.#serialize(after, revision, view);
    pages.set(key, page);
    return page;
  }

  #select(shows: View<Listed>['shows']): View<Listed>['shows'] {
    const { has } = this.source;
    if (has === undefined || shows === undefined) return has ?? shows;
    return (entry) => has(entry) && shows(entry);
  }

  get #isShared(): boolean {
    return !this.#isConditional && !this.#hasApps;
  }

  #serialize(
    after: number,
    revision: Revision,
    { shows, showsApps: withApps = false, sees = shows ?? seesAll }: ShownView<Listed>,
  ): SerializedResult {
    const { registry, list, encode } = this.source;
    const { entries, next } = registry.page(after, this.settings.pageSize, this.#select(shows));
    const result: Encoded = {
      [list]: entries.map((entry) => encode(entry, revision, withApps, sees)),
      ...(next !== undefined && { nextCursor: formatCursor(list, next) }),
      // A page that the application tailors to each caller is cached only for that caller, and a page that depends on
      // the client only for that client.
      ...encodeCacheHint(this.#isShared ? this.#hint : { ...this.#hint, scope: 'private' }, revision),
    };
    const sealed = sealResult(result, revision, this.settings.serverInfo);
    return new SerializedResult(JSON.stringify(sealed));
  }
}

function seesAll(): boolean {
  return true;
}

/** Names the part of a list that a caller sees. The length of the name does not depend on the list. */
function formatSeen(seen: ReadonlySet<Entry>): string {
  const sequences = [...seen].map(({ sequence }) => sequence).join(' ');
  return sequences.length <= LONGEST_KEY ? sequences : hash('sha256', sequences, 'base64');
}

/** What a list needs to decide who may see an entry. */
export interface GuardedEntry extends Entry {
  readonly access?: Access;
  readonly usedBy?: () => readonly CatalogEntry[];
}

/** The part of a list that one caller sees. */
interface View<Listed> {
  /** Identical for all callers who see the same entries. */
  readonly key: string;
  /** Absent if the caller sees everything. */
  readonly shows?: (entry: Listed) => boolean;
  /** Returns whether the caller may use an entry this way; absent if the caller may use all entries. */
  readonly admits?: (entry: Pick<GuardedEntry, 'access'>) => boolean;
}

const EVERYTHING: { readonly key: string } = { key: '' };

/**
 * Determines which entries of a list callers see: all of them or, if lists are filtered, those that their scopes
 * allow.
 */
export class ListVisibility<Listed extends GuardedEntry> {
  #version = -1;
  #scopes: readonly string[] = [];

  constructor(
    private readonly registry: Pick<EntryList<Listed>, 'version' | 'list'>,
    private readonly isFiltered: boolean,
  ) {}

  /** Returns the part that a caller sees. */
  find(auth: AuthView): View<Listed> {
    if (!this.isFiltered) return EVERYTHING;
    const isKnown = auth.claims !== undefined;
    const held = this.#listScopes().filter((scope) => auth.hasScope(scope));
    const admits = ({ access }: Pick<GuardedEntry, 'access'>): boolean => {
      if (access === undefined) return isKnown;
      return access.isPublic || (isKnown && access.scopes.every((scope) => held.includes(scope)));
    };
    const shows = (entry: Listed): boolean => listAccessPaths(entry).some(admits);
    return { key: `${isKnown ? 'known' : 'public'} ${held.join(' ')}`, shows, admits };
  }

  /** The scopes that make a difference; a caller's other scopes change nothing. */
  #listScopes(): readonly string[] {
    if (this.#version === this.registry.version) return this.#scopes;
    this.#version = this.registry.version;
    this.#scopes = mergeScopes(
      ...this.registry
        .list()
        .flatMap((entry) => listAccessPaths(entry).map(({ access }) => access?.scopes ?? [])),
    );
    return this.#scopes;
  }
}

/**
 * Parses the position after which the requested page begins. Without a cursor, it is the first page.
 *
 * @throws {McpError} -32602 if the cursor does not belong to the list
 * @see MCP server/utilities/pagination
 */
export function parseAfter(list: PaginatedList, cursor: unknown): number {
  if (cursor === undefined) return 0;
  try {
    return parseCursor(list, cursor);
  } catch (error) {
    if (error instanceof CursorError) throw McpError.invalidParams(error.message);
    throw error;
  }
}

/**
 * Returns whether a client receives apps. Its revision must support them, and the client must have declared them,
 * unless the server has no sessions and cannot know. Clients ignore metadata that they do not know.
 */
export function showsApps(
  { client, peer, revision }: Pick<RequestContext, 'client' | 'peer' | 'revision'>,
  { apps }: Pick<ServerSettings, 'apps'>,
): boolean {
  if (!revision.defines.definitionMeta) return false;
  return apps.showToAll || declaresApps(client.capabilities) || isWithoutSession(peer);
}

/** Returns whether an entry belongs to an app. */
export function isOfApp(entry: CatalogEntry): boolean {
  return 'app' in entry && entry.app !== undefined;
}

/** Returns whether only apps may call a tool. A client without apps would offer the tool to its model. */
export function isForAppsAlone({ app }: Pick<ToolEntry, 'app'>): boolean {
  return app?.visibility !== undefined && !app.visibility.includes('model');
}
