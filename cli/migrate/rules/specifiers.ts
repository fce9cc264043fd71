import type { Node } from 'ts-morph';
import type { SourceMigration } from '../source/source-migration.js';

/** The changes to a list of specifiers between braces. */
export interface SpecifierChanges {
  /** The replacement of each specifier; `undefined` if it is removed. */
  readonly texts: readonly (string | undefined)[];
  /** The specifiers to add. */
  readonly added: readonly string[];
}

/** Changes the specifiers of a list one by one, to preserve its formatting. Returns whether any are left. */
export function editSpecifiers(
  file: SourceMigration,
  specifiers: readonly Node[],
  { texts, added }: SpecifierChanges,
): boolean {
  const last = texts.findLastIndex((text) => text !== undefined);
  if (last === -1 && added.length === 0) return false;
  specifiers.forEach((specifier, index) => {
    // If none are left, the additions replace the first one.
    const isAnchor = index === Math.max(last, 0);
    const own = texts[index];
    const written = [...(own === undefined ? [] : [own]), ...(isAnchor ? added : [])];
    if (written.length === 0) remove(file, specifiers, { index, last: Math.max(last, 0) });
    else replace(file, specifier, written.join(', '));
  });
  return true;
}

function replace(file: SourceMigration, node: Node, text: string): void {
  if (text !== node.getText()) file.edits.replace({ start: node.getStart(), end: node.getEnd() }, text);
}

/** Removes a specifier up to the next one, or together with the preceding comma after the last one that stays. */
function remove(
  file: SourceMigration,
  specifiers: readonly Node[],
  { index, last }: { readonly index: number; readonly last: number },
): void {
  const specifier = specifiers[index];
  const neighbor = specifiers[index < last ? index + 1 : index - 1];
  if (specifier === undefined || neighbor === undefined) return;
  const span =
    index < last
      ? { start: specifier.getStart(), end: neighbor.getStart() }
      : { start: neighbor.getEnd(), end: specifier.getEnd() };
  file.edits.remove(span);
}
