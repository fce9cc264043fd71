import type { GatewayEntry, GatewaySelection } from '../settings/gateway-options.js';

/** An entry to offer, with its overrides. */
export interface SelectedEntry<Listed, Changes> {
  readonly listed: Listed;
  readonly changes: Partial<Changes>;
}

/** Which entries to offer, and how. */
interface EntrySelection<Changes> extends GatewaySelection {
  readonly change?: { readonly [key: string]: Changes } | ((entry: GatewayEntry) => Changes | undefined);
}

/** Selects the entries of one kind that the gateway offers. */
export function selectEntries<Listed, Changes extends object>(
  entries: readonly Listed[],
  selection: false | EntrySelection<Changes>,
  describe: (entry: Listed) => GatewayEntry,
): readonly SelectedEntry<Listed, Changes>[] {
  if (selection === false) return [];
  const { include, exclude = [], change = {} } = selection;
  const findChanges = (entry: GatewayEntry): Changes | undefined => {
    if (typeof change === 'function') return change(entry);
    return Object.hasOwn(change, entry.key) ? change[entry.key] : undefined;
  };
  return entries.flatMap((listed) => {
    const entry = describe(listed);
    if (exclude.includes(entry.key) || include?.includes(entry.key) === false) return [];
    return [{ listed, changes: findChanges(entry) ?? {} }];
  });
}
