import type { Node, ObjectLiteralElementLike, ObjectLiteralExpression } from 'ts-morph';
import type { DecisionKey } from '../replacements/decisions.js';
import { findMember, SERVER_OPTIONS } from '../replacements/server-options.js';
import type { Migration } from '../migration.js';
import type { TsMorph } from '../source/load-ts-morph.js';
import { findObject, getMemberName, getValue, removeMember } from '../source/objects.js';

/** Removes options that are not needed here, and comments out options without a counterpart, which require a decision. */
export function migrateSharedOptions(migration: Migration, object: ObjectLiteralExpression): void {
  const file = migration.fileOf(object);
  const { morph } = file.facts;
  for (const member of object.getProperties()) {
    const name = getMemberName(member, morph);
    const decision = name === undefined ? undefined : findDecision(name);
    if (decision === undefined) continue;
    if (name === 'capabilities' && isAdding(migration) && declareAreas(migration, member)) continue;
    if (isNeedless(migration, member)) {
      removeMember(file, member);
      if (name !== 'allowUnauthenticatedAccess') migration.leaveOut(member, name ?? '');
    } else if (findMember(SERVER_OPTIONS, name ?? '')?.ours === undefined) file.commentOut(member, decision);
    else file.decide(member, decision);
  }
}

/** Checks whether a server without the option behaves the same, except for where it writes its log. */
function isNeedless({ access, facts: { morph } }: Migration, member: ObjectLiteralElementLike): boolean {
  const value = getValue(member, morph);
  switch (getMemberName(member, morph)) {
    case 'logging':
      return true;
    case 'allowUnauthenticatedAccess':
      return access !== undefined || value?.getText() === 'false';
    case 'capabilities':
      return findAreas(value, morph) !== undefined;
    default:
      return false;
  }
}

/** The capabilities that a server derives from its catalog, with `listChanged` and `subscribe`. */
const DERIVED = new Set(['tools', 'resources', 'prompts', 'completions', 'logging']);

/** Returns the names of declared areas, or `undefined` if something else is declared too. */
function findAreas(value: Node | undefined, morph: TsMorph): readonly string[] | undefined {
  const names = findObject(value, morph)
    ?.getProperties()
    .map((area) => getMemberName(area, morph) ?? '');
  return names?.every((name) => DERIVED.has(name)) === true ? names : undefined;
}

/** Checks whether handlers may be added at run time, so an area may be empty at startup. */
function isAdding({ files }: Migration): boolean {
  return files.some(
    ({ importedNames, text }) =>
      importedNames.length > 0 && /\.register(?:Tool|Resource|Prompt)\(/.test(text),
  );
}

/** Continues to declare areas that were declared. */
function declareAreas(migration: Migration, member: ObjectLiteralElementLike): boolean {
  const file = migration.fileOf(member);
  const areas = findAreas(getValue(member, file.facts.morph), file.facts.morph);
  const declared = areas?.filter((name) => name !== 'logging' && name !== 'completions') ?? [];
  if (declared.length === 0) return false;
  const text = declared.map((name) => `${name}: true`).join(', ');
  file.edits.replace({ start: member.getStart(), end: member.getEnd() }, `capabilities: { ${text} }`);
  return true;
}

/** Options that separate rules migrate. */
const OF_ENDPOINT = new Set(['sse']);

function findDecision(name: string): DecisionKey | undefined {
  return OF_ENDPOINT.has(name) ? undefined : findMember(SERVER_OPTIONS, name)?.decision;
}
