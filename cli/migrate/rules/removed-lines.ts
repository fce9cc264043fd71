import type { Node } from 'ts-morph';
import type { SourceMigration } from '../source/source-migration.js';

const REST = /^[ \t]*(?:\/\/[^\n]*|\/\*(?:(?!\*\/)[^\n])*\*\/[ \t]*)?(?:\r?\n|$)/;

/** Takes a statement out, with its line and the comment behind it if nothing else is there. */
export function removeLine({ text, edits }: SourceMigration, statement: Node): void {
  const line = text.lastIndexOf('\n', statement.getStart() - 1) + 1;
  const rest = REST.exec(text.slice(statement.getEnd()))?.[0];
  const isAlone = rest !== undefined && text.slice(line, statement.getStart()).trim() === '';
  const start = isAlone ? line : statement.getStart();
  edits.remove({ start, end: statement.getEnd() + (isAlone ? rest.length : 0) });
}
