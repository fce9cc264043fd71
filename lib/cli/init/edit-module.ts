import { InitError } from './init.error.js';
import { maskSource } from './masked-source.js';
import { findModuleMetadata, insertElement, type Insertion } from './module-metadata.js';
import { formatImport, formatText, type SourceStyle } from './source-style.js';

/** What goes into a module. */
export interface ModuleAdditions {
  readonly serverInfo: { readonly name: string; readonly version: string };
  /** The class of the first tool, and what its file is imported by. */
  readonly tools: { readonly className: string; readonly from: string };
}

interface Addition {
  readonly name: string;
  readonly from: string;
  readonly list: 'imports' | 'providers';
  readonly element: string;
}

/**
 * Adds the server and its first tool to the source of a module; what is there already stays as it is.
 *
 * @throws {InitError} where the source is of a shape that is better left to its author
 */
export function editModule(source: string, given: ModuleAdditions, style: SourceStyle): string {
  const additions = buildAdditions(given, style);
  try {
    return addAll(source, additions, style);
  } catch (error) {
    if (!(error instanceof InitError)) throw error;
    throw new InitError(error.message, { byHand: formatByHand(additions, style), cause: error });
  }
}

function buildAdditions({ serverInfo, tools }: ModuleAdditions, style: SourceStyle): readonly Addition[] {
  const { name, version } = serverInfo;
  const info = `{ name: ${formatText(name, style)}, version: ${formatText(version, style)} }`;
  return [
    {
      name: 'McpModule',
      from: 'nestjs-mcp',
      list: 'imports',
      element: `McpModule.forRoot({ serverInfo: ${info} })`,
    },
    {
      name: tools.className,
      from: tools.from,
      list: 'providers',
      element: tools.className,
    },
  ];
}

function addAll(source: string, additions: readonly Addition[], style: SourceStyle): string {
  assertNamesAreFree(source, additions);
  const masked = maskSource(source);
  const metadata = findModuleMetadata(masked);
  const { start, end } = metadata.object;
  const declared = masked.slice(start, end);
  const missing = additions.filter(({ name }) => !new RegExp(`\\b${name}\\b`).test(declared));
  if (missing.length === 0) return source;
  const insertions = missing.map((addition) => insertElement(masked, metadata, addition));
  const imports = missing.filter(({ name }) => findOrigin(source, name) === undefined);
  return insertAll(source, [...insertions, ...insertImports(source, masked, imports, style)]);
}

/** Another library may have a module of the same name. */
function assertNamesAreFree(source: string, additions: readonly Addition[]): void {
  for (const { name, from } of additions) {
    const origin = findOrigin(source, name);
    if (origin !== undefined && origin !== from) {
      throw new InitError(`"${name}" must come from "${from}", and the file imports it from "${origin}"`);
    }
  }
}

function findOrigin(source: string, name: string): string | undefined {
  const imported = new RegExp(`^import\\s[^'"]*\\b${name}\\b[^'"]*['"]([^'"]+)['"]`, 'm');
  return imported.exec(source)?.[1];
}

function insertImports(
  source: string,
  masked: string,
  additions: readonly Addition[],
  style: SourceStyle,
): readonly Insertion[] {
  if (additions.length === 0) return [];
  const lines = additions.map(({ name, from }) => formatImport(name, from, style));
  const last = [...masked.matchAll(/^import\b/gm)].at(-1);
  const statement = last && /^import\b[^'"]*['"][^'"]+['"][^\n\r]*/.exec(source.slice(last.index));
  if (!last || !statement) throw new InitError('The file must import "Module", and imports nothing');
  const text = lines.map((line) => `${style.lineEnd}${line}`).join('');
  return [{ at: last.index + statement[0].length, text }];
}

/** From the end to the beginning, so that positions stay true; what goes to one place keeps its order. */
function insertAll(source: string, insertions: readonly Insertion[]): string {
  return insertions
    .toReversed()
    .toSorted((one, other) => other.at - one.at)
    .reduce((text, { at, text: added }) => text.slice(0, at) + added + text.slice(at), source);
}

function formatByHand(additions: readonly Addition[], style: SourceStyle): string {
  const imports = additions.map(({ name, from }) => formatImport(name, from, style));
  const members = additions.map(({ list, element }) => `  ${list}: [${element}],`);
  return [...imports, '', '@Module({', ...members, '})'].join('\n');
}
