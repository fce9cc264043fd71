import type { MethodDeclaration, ReturnStatement } from 'ts-morph';
import type { Migration } from '../migration.js';
import type { SourceMigration } from '../source/source-migration.js';
import { findEnhancerFiles } from './enhancer-files.js';

/** In release 1, callers received the return value of a filter as an error. Here they receive the error that it throws. */
export function migrateFilters(migration: Migration): void {
  if (migration.facts.release !== 1) return;
  const enhancers = findEnhancerFiles(migration);
  for (const file of migration.files) {
    const filters = file.file.getClasses().filter((one) => one.getDecorator('Catch') !== undefined);
    const methods = enhancers.has(file.file) ? filters.map((one) => one.getInstanceMethod('catch')) : [];
    const returns = methods.flatMap((method) => (method === undefined ? [] : findReturns(file, method)));
    for (const one of returns) throwInstead(file, one);
  }
}

/** Finds the statements that return strings, because other values were not error messages. */
function findReturns({ facts }: SourceMigration, method: MethodDeclaration): readonly ReturnStatement[] {
  const { Node: is, SyntaxKind } = facts.morph;
  return method.getDescendantsOfKind(SyntaxKind.ReturnStatement).filter((statement) => {
    const value = statement.getExpression();
    const isOwn =
      statement.getFirstAncestor((one) => is.isFunctionLikeDeclaration(one) || is.isArrowFunction(one)) ===
      method;
    const isText =
      is.isStringLiteral(value) ||
      is.isNoSubstitutionTemplateLiteral(value) ||
      is.isTemplateExpression(value) ||
      is.isBinaryExpression(value) ||
      is.isPropertyAccessExpression(value);
    return isOwn && isText;
  });
}

function throwInstead(file: SourceMigration, statement: ReturnStatement): void {
  const value = statement.getExpressionOrThrow();
  const start = statement.getStart();
  file.edits.replace({ start, end: value.getStart() }, `throw new ${file.use('ToolError')}(`);
  file.edits.insert(value.getEnd(), ')');
}
