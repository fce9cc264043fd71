import { findClosing, maskSource } from './masked-source.js';

/** The compilers that Jest uses for ES modules of packages, with their versions. */
export const JEST_COMPILERS = { '@swc/core': '^1.15.0', '@swc/jest': '^0.2.39' } as const;

/** ES module packages that an application with a server loads. In pnpm, each has its own folder. */
const COMPILED = String.raw`/node_modules/(?!(\\.pnpm/[^/]+/node_modules/)?(nestjs-mcp|@nestjs|jose|oauth4webapi)/)`;

const TRANSFORM = /(["']?)transform\1\s*:\s*(?=\{)/;

/** The one transform that the Nest CLI sets up: all of TypeScript and JavaScript by `ts-jest`. */
const TS_JEST = /^\s*(["'])\^\.\+\\\\\.\(t\|j\)s\$\1\s*:\s*(["'])ts-jest\2(,?)\s*$/;

/** Tells whether Jest was told already that the package is compiled. */
export function isJestReady(settings: string): boolean {
  return /transformIgnorePatterns[^]*nestjs-mcp/.test(settings);
}

/**
 * Makes Jest compile ES modules, in settings as the Nest CLI writes them, in JSON or TypeScript. `ts-jest` still
 * compiles the application's files. Nothing if they have another shape.
 */
export function editJest(settings: string): string | undefined {
  const found = TRANSFORM.exec(settings);
  if (found === null || settings.includes('transformIgnorePatterns')) return undefined;
  const opening = found.index + found[0].length;
  const closing = findClosing(maskSource(settings), opening);
  if (closing === undefined) return undefined;
  const [, quote, , comma] = TS_JEST.exec(settings.slice(opening + 1, closing)) ?? [];
  if (quote === undefined) return undefined;
  const style = { isJson: quote === '"', comma: comma ?? '', ...readLines(settings, found.index) };
  const before = settings.slice(0, opening);
  return `${before}${formatTransform(style)},${formatIgnored(style)}${settings.slice(closing + 1)}`;
}

interface SettingsStyle {
  readonly isJson: boolean;
  /** The text after the last member of an object. */
  readonly comma: string;
  /** What a line of the settings begins with, its line end included. */
  readonly line: string;
  readonly indent: string;
}

function readLines(settings: string, position: number): Pick<SettingsStyle, 'line' | 'indent'> {
  const [before = ''] = /(?:\r?\n)?[ \t]*$/.exec(settings.slice(0, position)) ?? [];
  const [step = '  '] = /(?<=\n)[ \t]+/.exec(settings) ?? [];
  return { line: before, indent: step };
}

function formatTransform({ isJson, comma, line, indent }: SettingsStyle): string {
  const compiler = isJson
    ? String.raw`"^.+\\.ts$": "ts-jest",${line}${indent}"^.+\\.js$": ["@swc/jest", { "jsc": { "target": "es2022" } }]`
    : String.raw`'^.+\\.ts$': 'ts-jest',${line}${indent}'^.+\\.js$': ['@swc/jest', { jsc: { target: 'es2022' } }]`;
  return `{${line}${indent}${compiler}${comma}${line}}`;
}

function formatIgnored({ isJson, comma, line, indent }: SettingsStyle): string {
  const [name, quote] = isJson ? ['"transformIgnorePatterns"', '"'] : ['transformIgnorePatterns', "'"];
  return `${line}${name}: [${line}${indent}${quote}${COMPILED}${quote}${comma}${line}]`;
}
