import { uniteScopes } from '../../../core/oauth/scope.js';
import type { Access, CatalogEntry } from '../../catalog/entries.js';
import { listWays } from '../../catalog/ways.js';
import type { Entry, EntryList } from '../../catalog/registry.js';
import type { AuthView } from '../../context/auth-view.interface.js';

/** What a list knows of who may see an entry. */
export interface GuardedEntry extends Entry {
  readonly access?: Access;
  readonly through?: () => readonly CatalogEntry[];
}

/** What one caller sees of a list. */
export interface View<Listed> {
  /** The same for all who see the same. */
  readonly key: string;
  /** Absent if everything is seen. */
  readonly shows?: (entry: Listed) => boolean;
  /** Tells which ways of using entries the caller has; absent if the caller has all. */
  readonly admits?: (entry: Pick<GuardedEntry, 'access'>) => boolean;
}

const EVERYTHING: { readonly key: string } = { key: '' };

/** Decides what callers see of a list: everything or, if lists are filtered, the entries that their scopes allow. */
export class ListVisibility<Listed extends GuardedEntry> {
  #version = -1;
  #scopes: readonly string[] = [];

  constructor(
    private readonly registry: Pick<EntryList<Listed>, 'version' | 'list'>,
    private readonly isFiltered: boolean,
  ) {}

  /** Returns what a caller sees. */
  find(auth: AuthView): View<Listed> {
    if (!this.isFiltered) return EVERYTHING;
    const isKnown = auth.claims !== undefined;
    const held = this.#listScopes().filter((scope) => auth.hasScope(scope));
    const admits = ({ access }: Pick<GuardedEntry, 'access'>): boolean => {
      if (access === undefined) return isKnown;
      return access.isPublic || (isKnown && access.scopes.every((scope) => held.includes(scope)));
    };
    const shows = (entry: Listed): boolean => listWays(entry).some(admits);
    return { key: `${isKnown ? 'known' : 'public'} ${held.join(' ')}`, shows, admits };
  }

  /** The scopes that make a difference: what else a caller has changes nothing. */
  #listScopes(): readonly string[] {
    if (this.#version === this.registry.version) return this.#scopes;
    this.#version = this.registry.version;
    this.#scopes = uniteScopes(
      ...this.registry.list().flatMap((entry) => listWays(entry).map(({ access }) => access?.scopes ?? [])),
    );
    return this.#scopes;
  }
}
