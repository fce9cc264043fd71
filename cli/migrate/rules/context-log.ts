import type { PropertyAccessExpression } from 'ts-morph';
import { LOG_LEVELS } from '../counterparts/context-members.js';
import { readSourceStyle } from '../../application/source-style.js';
import type { SourceMigration } from '../source/source-migration.js';

/** Rewrites `log.info(message, data)`: clients get the same entry, whose level is an argument here. */
export function migrateLog(file: SourceMigration, access: PropertyAccessExpression): void {
  const { Node: is } = file.facts.morph;
  const method = access.getParent();
  const call = method?.getParent();
  const isCall =
    is.isPropertyAccessExpression(method) && is.isCallExpression(call) && call.getExpression() === method;
  const level = isCall ? LOG_LEVELS[method.getName()] : undefined;
  if (!isCall || level === undefined) return file.decide(access, 'contextMembers');
  const [message, data] = call.getArguments();
  if (message === undefined || is.isSpreadElement(message)) return file.decide(access, 'contextMembers');
  const { quote } = readSourceStyle(file.text, false);
  const start = access.getNameNode().getStart();
  file.edits.replace({ start, end: message.getStart() }, `log(${quote}${level}${quote}, { message: `);
  if (data !== undefined) file.edits.insert(data.getStart(), 'context: ');
  const last = data ?? message;
  file.edits.insert(last.getEnd(), ' }');
}
