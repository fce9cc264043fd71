import { posix } from 'node:path';
import { parse } from 'jsonc-parser';
import { maskSource } from './masked-source.js';
import type { Project } from './project-folder.js';

/** An application file. */
export interface ReadSource {
  readonly path: string;
  readonly text: string;
}

/** The compiler's `paths`: a pattern such as `@shop/*`, and the paths that it maps to. */
type CompilerPaths = readonly (readonly [pattern: string, targets: readonly string[]])[];

/**
 * Reads a file and all of the application's files that it imports, directly or indirectly. Packages are omitted.
 *
 * @returns the files, nearest first
 */
export function readLocalImports(project: Project, start: string): readonly ReadSource[] {
  const paths = readCompilerPaths(project);
  const found = new Map<string, string>();
  const waiting = [posix.normalize(start)];
  for (const path of waiting) {
    const text = found.has(path) ? undefined : project.read(path);
    if (text === undefined) continue;
    found.set(path, text);
    const named = listSpecifiers(text).flatMap((specifier) => listPlaces(specifier, path, paths));
    waiting.push(...named.flatMap((place) => findFile(project, place)));
  }
  return [...found].map(([path, text]) => ({ path, text }));
}

function listSpecifiers(source: string): readonly string[] {
  const named = maskSource(source).matchAll(/\b(?:from|import|require)\s*\(?\s*("+)/g);
  return [...named].map(({ 0: { length }, 1: text = '', index }) => {
    const end = index + length;
    return source.slice(end - text.length + 1, end - 1);
  });
}

/** Lists the paths that a specifier may resolve to, relative to the application's root. */
function listPlaces(specifier: string, from: string, paths: CompilerPaths): readonly string[] {
  if (specifier.startsWith('.')) return [posix.join(posix.dirname(from), specifier)];
  const mapped = paths.flatMap(([pattern, targets]) => {
    const rest = matchPattern(pattern, specifier);
    return rest === undefined ? [] : targets.map((target) => posix.normalize(target.replace('*', rest)));
  });
  return [...mapped, specifier];
}

function matchPattern(pattern: string, specifier: string): string | undefined {
  const [before = '', after] = pattern.split('*', 2);
  if (after === undefined) return pattern === specifier ? '' : undefined;
  const isMatch = specifier.startsWith(before) && specifier.endsWith(after);
  return isMatch ? specifier.slice(before.length, specifier.length - after.length) : undefined;
}

function findFile(project: Project, place: string): readonly string[] {
  if (place.startsWith('..') || posix.isAbsolute(place)) return [];
  const candidates = [place.replace(/\.[cm]?[jt]s$/, ''), place].flatMap((stem) => [
    `${stem}.ts`,
    `${stem}/index.ts`,
  ]);
  const file = candidates.find((one) => project.read(one) !== undefined);
  return file === undefined ? [] : [file];
}

/** Invalid settings count as empty, because the compiler reports them anyway. */
function readCompilerPaths(project: Project): CompilerPaths {
  const settings: unknown = parse(project.read('tsconfig.json') ?? '', [], { allowTrailingComma: true });
  const { compilerOptions } = (settings ?? {}) as { readonly compilerOptions?: { readonly paths?: object } };
  const { paths } = compilerOptions ?? {};
  if (typeof paths !== 'object') return [];
  return Object.entries(paths ?? {}).flatMap(([pattern, targets]: [string, unknown]) =>
    Array.isArray(targets) ? [[pattern, targets.map(String)] as const] : [],
  );
}
