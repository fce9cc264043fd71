import { ApplicationError } from './application.error.js';
import { maskSource, type Span } from './masked-source.js';
import {
  insertAll,
  insertElement,
  readObjectLiteral,
  type Insertion,
  type ObjectLiteral,
} from './object-literal.js';
import { formatImport, type SourceStyle } from './source-style.js';

/** An entry for one of a module's lists, such as `imports`. */
export interface ModuleAddition {
  /** The name to import. */
  readonly name: string;
  /** The module specifier. */
  readonly from: string;
  readonly list: 'imports' | 'providers';
  /** The entry's code. */
  readonly element: string;
}

/**
 * Adds entries to a module's lists, and imports them. Existing entries do not change.
 *
 * @throws {ApplicationError} if the source cannot be edited safely; it contains the code to write by hand
 */
export function editModule(source: string, additions: readonly ModuleAddition[], style: SourceStyle): string {
  try {
    return addAll(source, additions, style);
  } catch (error) {
    if (!(error instanceof ApplicationError)) throw error;
    throw new ApplicationError(error.message, { byHand: formatByHand(additions, style), cause: error });
  }
}

function addAll(source: string, additions: readonly ModuleAddition[], style: SourceStyle): string {
  assertNamesAreFree(source, additions);
  const masked = maskSource(source);
  const metadata = findModuleMetadata(masked);
  const { start, end } = metadata.object;
  const declared = masked.slice(start, end);
  const missing = additions.filter(({ name }) => !new RegExp(`\\b${name}\\b`).test(declared));
  if (missing.length === 0) return source;
  const insertions =
    declared.trim() === ''
      ? [fillObject(masked, metadata.object, missing, style)]
      : missing.map((addition) => insertElement(masked, metadata, addition));
  return insertAll(source, [...insertions, ...insertImports(source, missing, style)]);
}

/** Fills an empty object with properties, each on a separate line. */
function fillObject(
  masked: string,
  { start, end }: Span,
  additions: readonly ModuleAddition[],
  { lineEnd }: SourceStyle,
): Insertion {
  const members = additions.map(({ list, element }) => `${lineEnd}  ${list}: [${element}],`).join('');
  return { at: start, text: masked.slice(start, end).includes('\n') ? members : `${members}${lineEnd}` };
}

/** Another library may export a module with the same name, or another file a class. */
function assertNamesAreFree(source: string, additions: readonly ModuleAddition[]): void {
  for (const { name, from } of additions) {
    const origin = findOrigin(source, name);
    if (origin !== undefined && origin !== from) {
      throw new ApplicationError(
        `"${name}" must be imported from "${from}", but the file imports it from "${origin}"`,
      );
    }
    if (new RegExp(`\\b(?:class|const|let|var|function)\\s+${name}\\b`).test(maskSource(source))) {
      throw new ApplicationError(
        `"${name}" must be imported from "${from}", but the file declares one itself`,
      );
    }
  }
}

/** Finds the module that a file imports a name from. Returns `undefined` if there is no such import. */
export function findOrigin(source: string, name: string): string | undefined {
  const imported = new RegExp(`^import\\s[^'"]*\\b${name}\\b[^'"]*['"]([^'"]+)['"]`, 'm');
  return imported.exec(source)?.[1];
}

/**
 * Builds the missing imports of a file, to insert after its last import.
 *
 * @throws {ApplicationError} if it has no imports
 */
export function insertImports(
  source: string,
  imported: readonly Pick<ModuleAddition, 'name' | 'from'>[],
  style: SourceStyle,
): readonly Insertion[] {
  const missing = imported.filter(({ name }) => findOrigin(source, name) === undefined);
  if (missing.length === 0) return [];
  const last = [...maskSource(source).matchAll(/^import\b/gm)].at(-1);
  const statement = last && /^import\b[^'"]*['"][^'"]+['"][^\n\r]*/.exec(source.slice(last.index));
  if (!last || !statement) {
    throw new ApplicationError('The file must import "Module", but has no imports');
  }
  const lines = missing.map(({ name, from }) => formatImport(name, from, style));
  const text = lines.map((line) => `${style.lineEnd}${line}`).join('');
  return [{ at: last.index + statement[0].length, text }];
}

function formatByHand(additions: readonly ModuleAddition[], style: SourceStyle): string {
  const imports = additions.map(({ name, from }) => formatImport(name, from, style));
  const members = additions.map(({ list, element }) => `  ${list}: [${element}],`);
  return [...imports, '', '@Module({', ...members, '})'].join('\n');
}

/**
 * Finds a module's metadata: the object in `@Module({ … })`.
 *
 * @throws {ApplicationError} if the file has none, or several
 */
function findModuleMetadata(masked: string): ObjectLiteral {
  const [decorator, ...others] = masked.matchAll(/@Module\s*\(\s*(?=\{)/g);
  if (decorator === undefined)
    throw new ApplicationError('The file must have a "@Module({ … })", but has none');
  if (others.length > 0)
    throw new ApplicationError('The file must have one "@Module({ … })", but has several');
  const literal = readObjectLiteral(masked, decorator.index + decorator[0].length);
  if (literal === undefined) throw new ApplicationError('The brackets of "@Module({ … })" do not match');
  return literal;
}
