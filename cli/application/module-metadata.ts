import { ApplicationError } from './application.error.js';
import { readObjectLiteral, type ObjectLiteral } from './object-literal.js';

/**
 * Finds what a module is made of: the object in `@Module({ … })`.
 *
 * @throws {ApplicationError} if the file has none, or several
 */
export function findModuleMetadata(masked: string): ObjectLiteral {
  const [decorator, ...others] = masked.matchAll(/@Module\s*\(\s*(?=\{)/g);
  if (decorator === undefined)
    throw new ApplicationError('The file must have a "@Module({ … })", and has none');
  if (others.length > 0)
    throw new ApplicationError('The file must have one "@Module({ … })", and has several');
  const literal = readObjectLiteral(masked, decorator.index + decorator[0].length);
  if (literal === undefined)
    throw new ApplicationError('The brackets of "@Module({ … })" must match, and do not');
  return literal;
}
