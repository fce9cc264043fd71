import type { Node, ObjectLiteralExpression } from 'ts-morph';
import { SERVER_INFO } from '../replacements/server-options.js';
import { getMemberName, insertMembers, removeMember } from '../source/objects.js';
import type { SourceMigration } from '../source/source-migration.js';

const INDENT = '  ';

/** Moves the server's name, version and similar properties into `serverInfo`, and adds further options after it. */
export function migrateServerInfo(
  file: SourceMigration,
  object: ObjectLiteralExpression,
  further: readonly string[],
): void {
  const { morph } = file.facts;
  const names: readonly (string | undefined)[] = SERVER_INFO;
  const members = object.getProperties();
  const info = members.filter((member) => names.includes(getMemberName(member, morph)));
  const [first] = info;
  if (first === undefined) return insertMembers(file, object, further, members.at(-1));
  const start = members.indexOf(first);
  const together = info.filter((member, index) => members[start + index] === member);
  const last = together.at(-1) ?? first;
  const apart = info.slice(together.length);
  for (const member of apart) removeMember(file, member);
  wrap(file, { first, last, together, apart });
  insertMembers(file, object, further, last);
}

interface Group {
  readonly first: Node;
  readonly last: Node;
  /** Adjacent members. */
  readonly together: readonly Node[];
  /** Properties elsewhere, which are moved to the others. */
  readonly apart: readonly Node[];
}

function wrap(file: SourceMigration, { first, last, together, apart }: Group): void {
  const line = file.text.lastIndexOf('\n', first.getStart() - 1) + 1;
  const indent = file.text.slice(line, first.getStart());
  const isInLines = indent.trim() === '' && line > 0;
  const separator = isInLines ? `,${file.lineEnd}${indent}${INDENT}` : ', ';
  const moved = () => apart.map((member) => separator + render(file, member)).join('');
  file.edits.insert(
    first.getStart(),
    isInLines ? `serverInfo: {${file.lineEnd}${indent}${INDENT}` : 'serverInfo: { ',
  );
  if (isInLines) for (const member of together.slice(1)) indentLines(file, member);
  file.edits.insert(last.getEnd(), moved);
  file.edits.insert(last.getEnd(), isInLines ? `,${file.lineEnd}${indent}}` : ' }');
}

function render(file: SourceMigration, node: Node): string {
  return file.edits.render({ start: node.getStart(), end: node.getEnd() });
}

/** Adds one indentation level to a property that starts its line, and to the comments above it. */
function indentLines(file: SourceMigration, member: Node): void {
  const starts = [...member.getLeadingCommentRanges().map((comment) => comment.getPos()), member.getStart()];
  for (const start of starts) {
    const line = file.text.lastIndexOf('\n', start - 1) + 1;
    if (line > 0 && file.text.slice(line, start).trim() === '') file.edits.insert(line, INDENT);
  }
}
