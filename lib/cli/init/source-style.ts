/** How a file of TypeScript is written. */
export interface SourceStyle {
  readonly quote: string;
  readonly semicolon: string;
  readonly lineEnd: string;
  /** What imports of other files end in. */
  readonly extension: string;
}

const RELATIVE = /(?:from|import)\s*\(?\s*['"]\.{1,2}\/[^'"\n]*?(\.[cm]?[jt]s)?['"]/g;

/** Reads the style of a file off its imports. */
export function readSourceStyle(source: string, isModule: boolean): SourceStyle {
  const relative = [...source.matchAll(RELATIVE)].map(([, extension = '']) => extension);
  return {
    quote: /^import[^'"]*"/m.test(source) ? '"' : "'",
    semicolon: /^import[^\n]*['"]\s*$/m.test(source) ? '' : ';',
    lineEnd: source.includes('\r\n') ? '\r\n' : '\n',
    extension: relative[0] ?? (isModule ? '.js' : ''),
  };
}

/** Writes an import. */
export function formatImport(name: string, from: string, { quote, semicolon }: SourceStyle): string {
  return `import { ${name} } from ${quote}${from}${quote}${semicolon}`;
}

/** Writes a text as a file has its texts. */
export function formatText(text: string, { quote }: SourceStyle): string {
  const inDouble = JSON.stringify(text);
  return quote === '"'
    ? inDouble
    : `'${inDouble.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}
