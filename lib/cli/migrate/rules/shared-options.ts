import type { ObjectLiteralExpression } from 'ts-morph';
import type { DecisionKey } from '../counterparts/decisions.js';
import { findMember, SERVER_OPTIONS } from '../counterparts/server-options.js';
import { getMemberName, getValue, removeMember } from '../source/objects.js';
import type { SourceMigration } from '../source/source-migration.js';

/** Leaves to a person what has no counterpart: it stays in the options as a comment. */
export function migrateSharedOptions(file: SourceMigration, object: ObjectLiteralExpression): void {
  const { morph } = file.facts;
  for (const member of object.getProperties()) {
    const name = getMemberName(member, morph);
    const decision = name === undefined ? undefined : findDecision(name);
    if (decision === undefined) continue;
    const value = getValue(member, morph)?.getText();
    if (name === 'allowUnauthenticatedAccess' && value === 'false') removeMember(file, member);
    else if (findMember(SERVER_OPTIONS, name ?? '')?.ours === undefined) file.commentOut(member, decision);
    else file.decide(member, decision);
  }
}

/** Those of the endpoint have rules of their own. */
const OF_ENDPOINT = new Set(['sse']);

function findDecision(name: string): DecisionKey | undefined {
  return OF_ENDPOINT.has(name) ? undefined : findMember(SERVER_OPTIONS, name)?.decision;
}
