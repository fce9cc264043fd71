import type { Node, ObjectLiteralExpression } from 'ts-morph';
import type { DecisionKey } from '../replacements/decisions.js';
import { findProperty, getValue } from '../source/objects.js';
import type { SourceMigration } from '../source/source-migration.js';
import type { OwnEndpoint } from './own-endpoint.interface.js';

/** Release 1's endpoint options, as options of this package. */
export interface EndpointOptions {
  /** The properties to write. */
  readonly members: readonly string[];
  readonly decisions: readonly DecisionKey[];
}

/** The properties that are read, and replaced with the results. */
export const ENDPOINT_MEMBERS = [
  'transport',
  'mcpEndpoint',
  'sseEndpoint',
  'messagesEndpoint',
  'apiPrefix',
  'streamableHttp',
  'sse',
] as const;

/** The facts about the application around the options. */
export interface EndpointContext {
  /** Whether the package created routes from the options; with `forRootAsync`, the application had its own. */
  readonly hasRoutes: boolean;
  readonly globalPrefix: 'none' | 'plain' | 'with exceptions';
  /** The endpoint of one of the application's controllers, which the server now serves. */
  readonly own?: OwnEndpoint | undefined;
}

const DEFAULT_PATH = '/mcp';
const DEFAULT_SSE_PATH = '/sse';

/** Reads transports, paths and sessions from release 1 options. */
export function readEndpointOptions(
  file: SourceMigration,
  object: ObjectLiteralExpression,
  { hasRoutes, globalPrefix, own }: EndpointContext,
): EndpointOptions {
  const { morph } = file.facts;
  const read = (name: string) => getValue(findProperty(object, name, morph), morph);
  const transports =
    own === undefined && hasRoutes
      ? readTransports(read('transport'), file)
      : ['http', ...(own?.ssePath === undefined ? [] : ['sse'])];
  const decisions: DecisionKey[] = [];
  const members: string[] = [];
  const quote = /^['"]/.exec(read('name')?.getText() ?? '')?.[0] ?? "'";
  const path = own?.path ?? joinPath(file, [read('apiPrefix'), read('mcpEndpoint') ?? DEFAULT_PATH]);
  if (path === undefined) decisions.push('serverOptions');
  else if (path !== DEFAULT_PATH) members.push(`mcpPath: ${quote}${path}${quote}`);
  if (transports === undefined) decisions.push('transports');
  if (transports?.length === 0) decisions.push('ownController');
  const isServed = transports === undefined || transports.includes('http') || transports.includes('sse');
  if (isServed && globalPrefix === 'plain') members.push('useGlobalPrefix: true');
  if (isServed && globalPrefix === 'with exceptions') decisions.push('prefix');
  const hasSse = transports?.includes('sse') === true;
  if (hasSse) {
    const ssePath =
      own?.ssePath ?? joinPath(file, [read('apiPrefix'), read('sseEndpoint') ?? DEFAULT_SSE_PATH]);
    if (ssePath === undefined) decisions.push('serverOptions');
    members.push(
      ssePath === undefined || ssePath === DEFAULT_SSE_PATH
        ? 'sse: true'
        : `sse: { path: ${quote}${ssePath}${quote} }`,
    );
  }
  const keepAlive = readKeepAlive(file, read('sse'));
  if (keepAlive === null) decisions.push('keepAlive');
  else if (keepAlive !== undefined) members.push(`streams: { keepAliveMs: ${keepAlive} }`);
  if (transports?.includes('http') === true && isStateless(file, read('streamableHttp'))) {
    if (hasSse) decisions.push('sessions');
    else members.push('stateless: true');
  }
  return { members, decisions };
}

const KINDS: Readonly<Record<string, string>> = {
  SSE: 'sse',
  sse: 'sse',
  STREAMABLE_HTTP: 'http',
  'streamable-http': 'http',
  STDIO: 'stdio',
  stdio: 'stdio',
};

/** Returns the transports, or `undefined` if they are not literals. All three are the default. */
export function readTransports(
  value: Node | undefined,
  { facts }: SourceMigration,
): readonly string[] | undefined {
  const { Node: is } = facts.morph;
  if (value === undefined) return ['http', 'sse', 'stdio'];
  const elements = is.isArrayLiteralExpression(value) ? value.getElements() : [value];
  const kinds = elements.map((element) => {
    if (is.isPropertyAccessExpression(element)) return KINDS[element.getName()];
    return is.isStringLiteral(element) ? KINDS[element.getLiteralValue()] : undefined;
  });
  return kinds.includes(undefined) ? undefined : kinds.filter((kind) => kind !== undefined);
}

/** Joins the parts of a path if they are literals. */
export function joinPath(
  file: SourceMigration,
  parts: readonly (Node | string | undefined)[],
): string | undefined {
  const { Node: is } = file.facts.morph;
  const texts = parts.map((part) => {
    if (part === undefined || typeof part === 'string') return part ?? '';
    if (is.isStringLiteral(part) || is.isNoSubstitutionTemplateLiteral(part)) return part.getLiteralText();
    return undefined;
  });
  if (texts.includes(undefined)) return undefined;
  return `/${texts.join('/')}`.replace(/\/{2,}/g, '/').replace(/(?<=.)\/$/, '');
}

/** Without settings, the transport was stateless; with settings, it had sessions unless they disabled them. */
function isStateless(file: SourceMigration, settings: Node | undefined): boolean {
  const { morph } = file.facts;
  if (settings === undefined) return true;
  if (!morph.Node.isObjectLiteralExpression(settings)) return false;
  return getValue(findProperty(settings, 'statelessMode', morph), morph)?.getText() === 'true';
}

/** Returns the interval between keep-alive pings; null if they were disabled. */
function readKeepAlive(file: SourceMigration, settings: Node | undefined): string | null | undefined {
  const { morph } = file.facts;
  if (settings === undefined || !morph.Node.isObjectLiteralExpression(settings)) return undefined;
  const read = (name: string) => getValue(findProperty(settings, name, morph), morph)?.getText();
  return read('pingEnabled') === 'false' ? null : read('pingIntervalMs');
}
