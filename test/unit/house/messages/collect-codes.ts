import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A constant or a member that is a code of JSON-RPC, and the `code` of an error class. */
const CODE = /^ *(?:(?:const [A-Z_]+ =|\w+:) (-32\d{3})\b|readonly code = '(\w+)')/gm;

/** A type that lists the codes of an error class. */
const CODES = /^export type \w+ErrorCode =([^;]+);/gm;

/** Collects the codes that errors have in the sources of a folder. */
export function collectCodes(folder: string): readonly string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const sources = files.filter((file) => file.endsWith('.ts')).map((file) => join(folder, file));
  return [...new Set(sources.flatMap((file) => collectCodesOfSource(readFileSync(file, 'utf8'))))];
}

/** Collects the codes that errors have in a source. */
export function collectCodesOfSource(source: string): readonly string[] {
  const single = [...source.matchAll(CODE)].map(([, number, name]) => number ?? name ?? '');
  const listed = [...source.matchAll(CODES)].flatMap(
    ([, union = '']) => union.match(/(?<=')\w+(?=')/g) ?? [],
  );
  return [...single, ...listed];
}
