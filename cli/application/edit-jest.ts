import { findClosing, maskSource, splitMembers, type Span } from './masked-source.js';
import { insertAll, insertMember, type Insertion } from './object-literal.js';

/** The ES module packages that an application with a server loads. */
const NAMES = 'nestjs-mcp|@nestjs|jose|oauth4webapi';

/** The part of their paths after `node_modules/`, escaped for a literal. With pnpm, each package has its own folder. */
const ALLOWED = String.raw`(\\.pnpm/[^/]+/node_modules/)?(${NAMES})/`;

/** The files of these packages, as a transform key, escaped for a literal. */
const TRANSFORMED = String.raw`/node_modules/(${NAMES})/.+\\.js$`;

/** The pattern for an application that has none. */
const IGNORED = `/node_modules/(?!${ALLOWED})`;

/** Paths that must not be ignored, and paths for which a merged pattern must match as it did before. */
const LOADED = ['nestjs-mcp/dist', '@nestjs/core', 'jose/dist/webapi', 'oauth4webapi/build'].flatMap(
  listPlaces,
);
const OTHERS = ['express', '@types/node', 'jose-parser', 'nanoid', 'uuid/dist'].flatMap(listPlaces);

/** Prefixes for lookaheads, which may appear after the folder, before its slash, or at the start of the path. */
const PREFIXES = ['', '/', '.*/node_modules/'];

/**
 * Extends a `transformIgnorePatterns` pattern so that Jest compiles the packages: adds their names to its negative
 * lookahead, or adds a lookahead. Returns `undefined` if that is not possible.
 *
 * @param literal the pattern as written in a literal, without quotes
 */
function mergeIgnored(literal: string): string | undefined {
  const before = compile(literal);
  if (before === undefined) return undefined;
  if (!LOADED.some((path) => before.test(path))) return literal;
  return listCandidates(literal).find((candidate) => {
    const after = compile(candidate);
    const isAllowed = after !== undefined && !LOADED.some((path) => after.test(path));
    return isAllowed && OTHERS.every((path) => after.test(path) === before.test(path));
  });
}

/** Checks whether a `transform` key matches the packages' files. Returns `undefined` if it is not a valid pattern. */
function isTransforming(literal: string): boolean | undefined {
  const pattern = compile(literal);
  return pattern && LOADED.every((path) => pattern.test(path));
}

/** Jest ignores a file if any pattern matches anywhere in its path, so each pattern needs a lookahead. */
function listCandidates(literal: string): readonly string[] {
  const insert = (at: number, text: string) => literal.slice(0, at) + text + literal.slice(at);
  const lookaheads = [...literal.matchAll(/\(\?!/g)].map(({ index }) => index + 3);
  const folders = [...literal.matchAll(/node_modules(?:\/|\[[^\]]*\])?/g)].map(
    ({ 0: { length }, index }) => index + length,
  );
  return PREFIXES.flatMap((prefix) => [
    ...lookaheads.map((at) => insert(at, `${prefix}${ALLOWED}|`)),
    ...folders.map((at) => insert(at, `(?!${prefix}${ALLOWED})`)),
  ]);
}

/** JSON and JavaScript literals escape patterns in the same way. */
function compile(literal: string): RegExp | undefined {
  try {
    const text = literal.replace(/\\(.)/g, '$1').replaceAll('<rootDir>', '/app');
    return new RegExp(text);
  } catch {
    return undefined;
  }
}

function listPlaces(folder: string): readonly string[] {
  const [name = ''] = /^(?:@[^/]+\/)?[^/]+/.exec(folder) ?? [];
  return [
    `/app/node_modules/${folder}/index.js`,
    `/app/node_modules/.pnpm/${name.replace('/', '+')}@1.0.0/node_modules/${folder}/index.js`,
  ];
}

/** The compilers that Jest can use for packages' ES modules, with their versions. */
export const JEST_COMPILERS = { '@swc/core': '^1.15.0', '@swc/jest': '^0.2.39' } as const;

/** Jest's default transform, which any `transform` in the settings replaces. */
const BABEL = String.raw`"\\.[jt]sx?$": "babel-jest"`;
const SWC = `"${TRANSFORMED}": ["@swc/jest", { "jsc": { "target": "es2022" } }]`;

/** Jest settings, in JSON, JavaScript or TypeScript. */
export interface JestSettings {
  readonly text: string;
  /** Reads a preset from a relative path. Returns `undefined` if it does not exist. */
  readPreset(path: string): string | undefined;
}

/** Edited settings, or the edits to make by hand. */
export interface EditedJest {
  /** Settings that make Jest compile the packages; `undefined` if they cannot be edited safely. */
  readonly text: string | undefined;
  /** The properties to write by hand, merged with existing properties where these can be read. */
  readonly members: readonly string[];
}

/** Makes Jest compile the packages' ES modules: inserts a transform before all others, and merges ignored paths. */
export function editJest({ text, readPreset }: JestSettings): EditedJest {
  const source: Source = { text, masked: maskSource(text), isJson: /^\s*\{/.test(text), readPreset };
  const opening = findSettings(source);
  const edits = opening === undefined ? undefined : editSettings(source, opening);
  if (edits !== undefined) return { text: insertAll(text, edits), members: [] };
  return { text: undefined, members: [`transform: { ${SWC}, … }`, formatIgnored(source, opening)] };
}

interface Source extends JestSettings {
  readonly masked: string;
  readonly isJson: boolean;
}

/** Finds the opening bracket of the exported object, exported directly or through a variable. */
function findSettings({ masked, isJson }: Source): number | undefined {
  if (isJson) return masked.indexOf('{');
  const [exported, name] =
    /(?:module\.exports\s*=|export\s+default)\s*(?:(\w+)\s*(?:;|$|\n)|\(?\{)/.exec(masked) ?? [];
  if (exported === undefined) return undefined;
  if (name === undefined) return masked.indexOf(exported) + exported.length - 1;
  const declared = new RegExp(`\\b(?:const|let|var)\\s+${name}\\b[^=]*=\\s*\\{`).exec(masked);
  return declared === null ? undefined : declared.index + declared[0].length - 1;
}

/** Returns `undefined` if any property cannot be merged; then none of them is changed. */
function editSettings(source: Source, opening: number): readonly Insertion[] | undefined {
  const settings = readMembers(source, opening);
  if (settings === undefined) return undefined;
  const projects = settings.members.get('projects');
  if (projects !== undefined) return editProjects(source, projects);
  const added = [editTransform(source, settings), editIgnored(source, settings)];
  return added.includes(undefined) ? undefined : added.flatMap((edits) => edits ?? []);
}

/** Each project has separate settings, inline or in another file. */
function editProjects(source: Source, projects: Span): readonly Insertion[] | undefined {
  const elements = readList(source, projects);
  const edits = elements?.map(({ start }) =>
    source.masked.charAt(start) === '{' ? editSettings(source, start) : undefined,
  );
  return edits === undefined || edits.includes(undefined) ? undefined : edits.flatMap((some) => some ?? []);
}

function editTransform(source: Source, settings: Members): readonly Insertion[] | undefined {
  const value = settings.members.get('transform');
  if (value === undefined) {
    if (!settings.isComplete) return undefined;
    const added = settings.members.has('preset') ? [SWC] : [SWC, BABEL];
    return [
      insertMember(source.masked, settings.object, format(source, `"transform": { ${added.join(', ')} }`)),
    ];
  }
  const transform = source.masked.charAt(value.start) === '{' ? readMembers(source, value.start) : undefined;
  if (transform === undefined) return undefined;
  const first = [...transform.members].find(([key]) => isTransforming(key) !== false);
  const isCompiled = first !== undefined && readSpan(source, first[1]).includes('@swc/jest');
  return isCompiled && transform.isComplete ? [] : [insertFirst(source, transform.object)];
}

/** Jest applies the first transform whose pattern matches. */
function insertFirst(source: Source, { start, end }: Span): Insertion {
  const [space = ''] = /^\s*/.exec(source.masked.slice(start, end)) ?? [];
  const isEmpty = start + space.length === end;
  return { at: start, text: `${space === '' ? ' ' : space}${format(source, SWC)}${isEmpty ? ' ' : ','}` };
}

function editIgnored(source: Source, settings: Members): readonly Insertion[] | undefined {
  const value = settings.members.get('transformIgnorePatterns');
  if (value === undefined) {
    if (!settings.isComplete || hasIgnoringPreset(source, settings)) return undefined;
    const added = format(source, `"transformIgnorePatterns": ["${IGNORED}"]`);
    return [insertMember(source.masked, settings.object, added)];
  }
  const merged = readList(source, value)?.map((span) => mergeElement(source, span));
  if (merged === undefined || merged.includes(undefined)) return undefined;
  return merged.flatMap((edit) => edit ?? []);
}

function mergeElement(source: Source, span: Span): readonly Insertion[] | undefined {
  const literal = /^(["'])(.*)\1$/.exec(readSpan(source, span))?.[2];
  const merged = literal === undefined ? undefined : mergeIgnored(literal);
  if (literal === undefined || merged === undefined) return undefined;
  if (merged === literal) return [];
  const same = [...merged].findIndex((character, index) => character !== literal.charAt(index));
  const added = merged.slice(same, same + merged.length - literal.length);
  return [{ at: span.start + 1 + same, text: added }];
}

/** A list in the settings would replace the preset's list. */
function hasIgnoringPreset(source: Source, { members }: Members): boolean {
  const value = members.get('preset');
  const [, path] =
    /^["'](\.{1,2}\/[^"']*|<rootDir>[^"']*)["']$/.exec(value ? readSpan(source, value) : '') ?? [];
  if (path === undefined) return false;
  return source.readPreset(path)?.includes('transformIgnorePatterns') ?? true;
}

/** The list to write by hand. */
function formatIgnored(source: Source, opening: number | undefined): string {
  const value =
    opening === undefined ? undefined : readMembers(source, opening)?.members.get('transformIgnorePatterns');
  const literals =
    value && readList(source, value)?.map((span) => /^(["'])(.*)\1$/.exec(readSpan(source, span))?.[2]);
  const merged = literals?.map((literal) => literal && mergeIgnored(literal));
  const shown = merged === undefined || merged.includes(undefined) ? [IGNORED] : merged;
  return `transformIgnorePatterns: [${shown.map((one) => `"${one}"`).join(', ')}]`;
}

interface Members {
  readonly object: Span;
  /** The value positions, with their keys as written. */
  readonly members: ReadonlyMap<string, Span>;
  /** Whether all properties are known: none is spread, computed, or shorthand for a variable. */
  readonly isComplete: boolean;
}

function readMembers(source: Source, opening: number): Members | undefined {
  const end = findClosing(source.masked, opening);
  if (end === undefined) return undefined;
  const object = { start: opening + 1, end };
  const spans = splitMembers(source.masked, object);
  const members = spans.flatMap((span): [string, Span][] => {
    const [key, name = ''] = /^("+|[\w$]+)\s*:\s*/.exec(source.masked.slice(span.start, span.end)) ?? [];
    if (key === undefined) return [];
    const written = source.text.slice(span.start, span.start + name.length);
    const value = { start: span.start + key.length, end: span.end };
    return [[name.startsWith('"') ? written.slice(1, -1) : written, value]];
  });
  return { object, members: new Map(members), isComplete: members.length === spans.length };
}

/** Returns `undefined` if the value is not a literal list. */
function readList({ masked }: Source, { start, end }: Span): readonly Span[] | undefined {
  const isList = masked.charAt(start) === '[' && findClosing(masked, start) === end - 1;
  return isList ? splitMembers(masked, { start: start + 1, end: end - 1 }) : undefined;
}

function readSpan({ text }: Source, { start, end }: Span): string {
  return text.slice(start, end);
}

/** Formats a property in the style of the settings. */
function format({ text, isJson }: Source, member: string): string {
  if (isJson) return member;
  const named = member.replaceAll(/"(\w+)":/g, '$1:');
  return /'/.test(text) && !/"/.test(text) ? named.replaceAll('"', "'") : named;
}
