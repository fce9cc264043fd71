import type { Node } from 'ts-morph';
import type { SourceMigration } from '../source/source-migration.js';

const REST = /^[ \t]*(?:\/\/[^\n]*|\/\*(?:(?!\*\/)[^\n])*\*\/[ \t]*)?(?:\r?\n|$)/;

/** Removes a statement, with its line and a trailing comment if the line contains nothing else. */
export function removeLine({ text, edits }: SourceMigration, statement: Node): void {
  const line = text.lastIndexOf('\n', statement.getStart() - 1) + 1;
  const rest = REST.exec(text.slice(statement.getEnd()))?.[0];
  const isAlone = rest !== undefined && text.slice(line, statement.getStart()).trim() === '';
  const start = isAlone ? line : statement.getStart();
  edits.remove({ start, end: statement.getEnd() + (isAlone ? rest.length : 0) });
}
