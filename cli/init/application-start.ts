import { posix } from 'node:path';
import { isLoopbackHost } from '../../lib/core/oauth/secure-url.js';
import { readLocalImports, type ReadSource } from '../application/local-imports.js';
import { findClosing, maskSource, splitMembers } from '../application/masked-source.js';
import type { Project } from '../application/project-folder.js';

/** How an application starts, according to its sources. */
export interface ApplicationStart {
  /** The file that starts it. */
  readonly path: string;
  /** The port expression, as written. */
  readonly expression: string;
  /** Whether `listen()` receives an object, as Fastify allows. */
  readonly byObject: boolean;
  /** The port; `undefined` if it depends on settings that cannot be read. */
  readonly port: number | undefined;
  /** The file that contains the port, if it is a different one. */
  readonly portFile: string | undefined;
  /** Whether it listens on the loopback interface only. */
  readonly isOnLoopback: boolean;
  /** The global prefix of its routes, as written. */
  readonly prefix: string | undefined;
}

const MAIN = ['main.ts', 'index.ts', 'server.ts'];

/** The expression that the Nest CLI generates. */
const USUAL = 'process.env.PORT ?? 3000';

/** A value at the end of an expression, such as 3000 in `process.env.PORT ?? 3000` or `config.get('port', 3000)`. */
const LAST_NUMBER = /(?:^|\?\?|\|\||[,(:])\s*(["'`]?)(\d{2,5})\1[\s)]*$/;
const LAST_NAME = /(?:^|\?\?|\|\||[,(:])\s*([A-Za-z_$][\w$]*)[\s)]*$/;
const LAST_TEXT = /(?:^|\?\?\s*|\|\|\s*)(['"`])([^'"`$]*)\1$/;

/** The maximum length of a chain of variables that refer to one another. */
const MOST_NAMES = 3;

/** Reads how an application starts, searching upward from its root module's folder. */
export function readStart(project: Project, folder: string): ApplicationStart {
  const path = findMain(project, folder);
  const sources = readLocalImports(project, path);
  const listening = sources.find(({ text }, index) => isStart(text, index === 0));
  const [first = USUAL, second] = listening === undefined ? [] : readArguments(listening.text, 'listen');
  const byObject = first.startsWith('{');
  const host = byObject ? readMember(first, 'host') : second;
  const expression = byObject ? (readMember(first, 'port') ?? USUAL) : first;
  const port = findPort(expression, listening?.text ?? '');
  const configured = port === undefined ? findConfigured(expression, sources) : undefined;
  return {
    path: listening?.path ?? path,
    expression,
    byObject,
    port: port ?? configured?.port,
    portFile: configured?.path,
    isOnLoopback: host !== undefined && isLoopback(host),
    prefix: sources.flatMap(({ text }) => readArguments(text, 'setGlobalPrefix').slice(0, 1))[0],
  };
}

/** In a workspace, the root module may be in a folder below the main file. */
function findMain(project: Project, folder: string): string {
  for (let place = folder; ; place = posix.dirname(place)) {
    const found = MAIN.map((name) => posix.join(place, name)).find(
      (file) => project.read(file) !== undefined,
    );
    if (found !== undefined) return found;
    if (posix.dirname(place) === place) return posix.join(folder, 'main.ts');
  }
}

/** `main.ts` may import the file that starts the application. Calls to `listen()` in unrelated files do not count. */
function isStart(text: string, isMain: boolean): boolean {
  const isApplication = isMain || /\b(?:NestFactory|I?Nest\w*Application)\b/.test(text);
  return isApplication && findCall(maskSource(text), 'listen') !== undefined;
}

/** Returns the position of the opening bracket. */
function findCall(masked: string, method: string): number | undefined {
  const call = new RegExp(`\\.\\s*${method}\\s*(?=\\()`).exec(masked);
  return call === null ? undefined : call.index + call[0].length;
}

function readArguments(text: string, method: string): readonly string[] {
  const masked = maskSource(text);
  const opening = findCall(masked, method);
  return opening === undefined ? [] : splitBracket(text, masked, opening);
}

function splitBracket(text: string, masked: string, opening: number): readonly string[] {
  const end = findClosing(masked, opening);
  if (end === undefined) return [];
  return splitMembers(masked, { start: opening + 1, end }).map((span) => text.slice(span.start, span.end));
}

/** Fastify accepts an object: `listen({ port: 3000, host: '127.0.0.1' })`. */
function readMember(object: string, name: string): string | undefined {
  const members = splitBracket(object, maskSource(object), 0);
  const named = new RegExp(`^${name}\\s*(?::\\s*|$)`);
  const member = members.find((one) => named.test(one));
  return member?.replace(named, '') || (member && name);
}

function isLoopback(expression: string): boolean {
  const host = LAST_TEXT.exec(expression)?.[2];
  return host !== undefined && isLoopbackHost(host.includes(':') ? `[${host}]` : host);
}

/** Returns `undefined` if the expression does not end with a value, or with a variable whose value is known. */
function findPort(expression: string, source: string, names = 0): number | undefined {
  const decimal = expression.trim().replaceAll(/,\s*10\s*\)/g, ')');
  const port = Number(LAST_NUMBER.exec(decimal)?.[2]);
  if (port > 0 && port < 65_536) return port;
  const name = LAST_NAME.exec(decimal)?.[1];
  if (name === undefined || names === MOST_NAMES) return undefined;
  const declared = new RegExp(
    `\\b(?:const|let|var)\\s+${name}\\b[^=\\n]*=\\s*([^;]+?)(?:;|\\n(?!\\s*[?|:.]))`,
  );
  const value = declared.exec(source)?.[1];
  return value === undefined ? undefined : findPort(value, source, names + 1);
}

/** Finds the port in a configuration object, if the expression reads it from one: `config.get('app.port')`, `config.port`. */
function findConfigured(
  expression: string,
  sources: readonly ReadSource[],
): { readonly port: number; readonly path: string } | undefined {
  if (!/\bport\b/i.test(expression)) return undefined;
  const found = sources.flatMap(({ path, text }) => {
    const masked = maskSource(text);
    return [...masked.matchAll(/\bport\s*:\s*/gi)].flatMap(({ 0: { length }, index }) => {
      const start = index + length;
      const [value = ''] =
        /^(?:[^,;}()\n]|\([^()]*(?:\([^()]*\)[^()]*)*\)|\n\s*[?:|.])+/.exec(masked.slice(start)) ?? [];
      const port = findPort(text.slice(start, start + value.length), text);
      return port === undefined ? [] : [{ port, path }];
    });
  });
  const [only] = found;
  return found.every(({ port }) => port === only?.port) ? only : undefined;
}
