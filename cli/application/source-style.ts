import { maskSource } from './masked-source.js';

/** The style of a TypeScript file. */
export interface SourceStyle {
  readonly quote: string;
  readonly semicolon: string;
  readonly lineEnd: string;
  /** The file extension in relative imports. */
  readonly extension: string;
}

const RELATIVE = /(?:from|import)\s*\(?\s*['"](\.{1,2}\/[^'"\n]*)['"]/g;

/** Files other than code are always imported with their extension. */
const DATA = /\.(?:json[5c]?|node|wasm|css|html?|md|txt|sql|graphql|gql|ya?ml)$/;

/** Detects the style of a file from its imports. */
export function readSourceStyle(source: string, isModule: boolean): SourceStyle {
  return {
    quote: /^import[^'"]*"/m.test(source) ? '"' : "'",
    semicolon: /^import[^\n]*['"]\s*$/m.test(source) ? '' : ';',
    lineEnd: source.includes('\r\n') ? '\r\n' : '\n',
    extension: findExtension(source) ?? (isModule ? '.js' : ''),
  };
}

/** Finds the extension of the first code import. JSX extensions, and those for a single module system, reveal nothing about other files. */
function findExtension(source: string): string | undefined {
  const masked = maskSource(source);
  const paths = [...source.matchAll(RELATIVE)]
    .filter(({ index }) => /\w/.test(masked.charAt(index)))
    .map(([, path = '']) => path);
  const first = paths.find((path) => !DATA.test(path));
  if (first === undefined) return undefined;
  const [, kind] = /\.[cm]?([jt]s)x?$/.exec(first) ?? [];
  return kind === undefined ? '' : `.${kind}`;
}

/** Formats an import statement. */
export function formatImport(name: string, from: string, { quote, semicolon }: SourceStyle): string {
  return `import { ${name} } from ${quote}${from}${quote}${semicolon}`;
}

/** Formats a string literal in a file's quote style. */
export function formatText(text: string, { quote }: SourceStyle): string {
  const inDouble = JSON.stringify(text);
  return quote === '"'
    ? inDouble
    : `'${inDouble.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}
