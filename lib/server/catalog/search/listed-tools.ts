import type { ToolSearchSettings } from '../../settings/catalog-options.js';
import type { ToolEntry } from '../entries.js';
import { readPage, type EntryList, type Page } from '../registry.js';

/** The tools that a list shows if all others are searched. */
export class ListedTools implements EntryList<ToolEntry> {
  #version = -1;
  #listed: readonly ToolEntry[] = [];

  constructor(
    private readonly all: EntryList<ToolEntry>,
    private readonly search: ToolSearchSettings,
  ) {}

  get version(): number {
    return this.all.version;
  }

  list(): readonly ToolEntry[] {
    if (this.#version === this.version) return this.#listed;
    this.#version = this.version;
    this.#listed = this.all.list().filter((entry) => isListed(entry, this.search));
    return this.#listed;
  }

  page(after: number, size: number, shows?: (entry: ToolEntry) => boolean): Page<ToolEntry> {
    return readPage(this.list(), { after, size, shows });
  }
}

/** Tells whether a tool is listed: the server's own, and what is pinned. */
export function isListed(
  { key, isOwn, options }: ToolEntry,
  { pinned, pinnedTags }: ToolSearchSettings,
): boolean {
  if (isOwn === true || pinned.includes(key)) return true;
  return options.tags?.some((tag) => pinnedTags.includes(tag)) === true;
}
