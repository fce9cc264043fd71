import type { Node } from 'ts-morph';
import type { SourceMigration } from '../source/source-migration.js';

/** What becomes of the names in a list between braces. */
export interface SpecifierChanges {
  /** The replacement of each one; `undefined` for one that is removed. */
  readonly texts: readonly (string | undefined)[];
  /** What comes to them. */
  readonly added: readonly string[];
}

/** Changes the names of a list one by one, so that its form stays. Tells whether anything is left in it. */
export function editSpecifiers(
  file: SourceMigration,
  specifiers: readonly Node[],
  { texts, added }: SpecifierChanges,
): boolean {
  const last = texts.findLastIndex((text) => text !== undefined);
  if (last === -1 && added.length === 0) return false;
  specifiers.forEach((specifier, index) => {
    // If none stays, what is added replaces the first.
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

/** A removed specifier ends where the next one begins. After the last one that stays, it also takes the comma before it. */
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
