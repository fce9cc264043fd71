import { RouteParamsFactory } from '@nestjs/core/router/route-params-factory.js';
import { HOST_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import type { ApplicationConfig } from '@nestjs/core';
import type { Claims } from '../../../core/oauth/access-token.js';
import { Logger } from '../../../core/logger/logger.js';
import { isObject } from '../../../core/protocol/json-rpc.js';
import type { McpContext } from '../../context/mcp-context.interface.js';
import {
  readClaims,
  selectClaims,
  findKind,
  ParameterKind,
  type ParameterMetadata,
  type ParameterMetadataMap,
} from '../../decorators/parameter.decorators.js';
import { CatalogError } from '../catalog.error.js';
import {
  findForeignParameter,
  findSharingPackages,
  findUnserved,
  findUnservedFirst,
  type UnsupportedParameter,
} from './sharing-packages.js';

/** Provides a parameter's value. */
export type Extract = (args: unknown, context: McpContext) => unknown;

type Kind = (typeof ParameterKind)[keyof typeof ParameterKind];

/** Parameters that get arguments. */
const ARGUMENTS: ReadonlySet<number> = new Set<Kind>([
  ParameterKind.Arguments,
  ParameterKind.Query,
  ParameterKind.Path,
]);

/** Parameters that receive a part of the HTTP request, with their decorators. */
const REQUEST_PARAMETERS: ReadonlyMap<number, string> = new Map<Kind, string>([
  [ParameterKind.Request, '@Req()'],
  [ParameterKind.Headers, '@Headers()'],
  [ParameterKind.Session, '@Session()'],
  [ParameterKind.Host, '@HostParam()'],
  [ParameterKind.Ip, '@Ip()'],
  [ParameterKind.Cookies, '@Cookies()'],
  [ParameterKind.SignedCookies, '@SignedCookies()'],
]);

/**
 * Parameters that always have a value on a route whose middleware sets it. The endpoint has another path, so middleware
 * may not apply to it.
 */
const ALWAYS_SET_ON_ROUTES: ReadonlySet<number> = new Set<Kind>([
  ParameterKind.Session,
  ParameterKind.Host,
  ParameterKind.Ip,
]);

const logger = new Logger('Mcp');

/** Parameters that only a route can fill, with their decorators there and what to do instead. */
const OF_ROUTES: ReadonlyMap<number, readonly [decorator: string, fix: string]> = new Map<
  Kind,
  readonly [string, string]
>([
  [ParameterKind.Response, ['@Res()', 'the protocol writes the response: return the result']],
  [ParameterKind.Next, ['@Next()', 'nothing runs after a handler: return a result, or throw an error']],
  [ParameterKind.File, ['@UploadedFile()', 'a call has no files: accept base64 as an argument']],
  [ParameterKind.Files, ['@UploadedFiles()', 'a call has no files: accept base64 as arguments']],
  [ParameterKind.RawBody, ['@RawBody()', 'the body is a protocol message: use "@Body()"']],
  [ParameterKind.Ack, ['@Ack()', 'there is no socket: return the result']],
]);

const HOST_PARAMETER: UnsupportedParameter = {
  decorator: '@HostParam()',
  giver: 'a route',
  fix: 'the endpoint host has no parameters: use "@Headers(\'host\')"',
};

const CLAIMS: readonly string[] = Object.keys({
  sub: true,
  iss: true,
  aud: true,
  scopes: true,
  clientId: true,
  expiresAt: true,
  extra: true,
} satisfies Record<keyof Claims, true>);

/** Returns whether pipes apply to a parameter: to arguments, cookies, and the values of `createParamDecorator()`. */
export function isPipeable(type: unknown): boolean {
  const kind = Number(type);
  return (
    Number.isNaN(kind) ||
    ARGUMENTS.has(kind) ||
    kind === ParameterKind.Cookies ||
    kind === ParameterKind.SignedCookies
  );
}

/** Returns whether a parameter receives its value outside Nest's chain. */
export function isServedDirectly(key: string, { factory }: ParameterMetadata): boolean {
  return findKind(key) !== undefined || factory === readClaims;
}

/** A method whose parameters are checked. */
interface DecoratedMethod {
  readonly classRef: { readonly name: string };
  readonly methodName: string;
  readonly method: (...args: never[]) => unknown;
}

/**
 * Asserts that a handler call can provide each parameter.
 *
 * @throws {CatalogError} for a parameter that only a route, a resolver or similar can have, or for an unknown claim
 */
export function assertParametersServed(
  { classRef, methodName, method }: DecoratedMethod,
  parameters: ParameterMetadataMap,
): void {
  const packages = findSharingPackages(classRef, method, Reflect.hasMetadata(PATH_METADATA, method));
  const hasHost = Reflect.getMetadata(HOST_METADATA, classRef) !== undefined;
  for (const [key, { index, factory, data }] of Object.entries(parameters)) {
    const claim: unknown = factory === readClaims ? data : undefined;
    if (typeof claim === 'string' && !CLAIMS.includes(claim)) {
      throw CatalogError.unknownClaim(index, claim, CLAIMS);
    }
    const kind = findKind(key) ?? -1;
    const unserved = findUnserved(packages, kind) ?? findUnservedOfRoute(kind, hasHost);
    if (unserved !== undefined) throw CatalogError.unservedParameter(index, unserved);
  }
  const foreign = findForeignParameter(classRef, methodName, parameters);
  if (foreign !== undefined) throw CatalogError.unservedParameter(foreign.index, foreign.unserved);
  const first = Object.keys(parameters).length === 0 ? findUnservedFirst(packages) : undefined;
  if (first !== undefined && method.length > 0) throw CatalogError.unservedParameter(0, first);
}

function findUnservedOfRoute(kind: number, hasHost: boolean): UnsupportedParameter | undefined {
  if (kind === ParameterKind.Host && hasHost) return HOST_PARAMETER;
  const [decorator, fix = ''] = OF_ROUTES.get(kind) ?? [];
  return decorator === undefined ? undefined : { decorator, giver: 'a route', fix };
}

/** Returns a function for each of a handler's parameters, in order. */
export function buildExtracts(
  { classRef, methodName }: Pick<DecoratedMethod, 'classRef' | 'methodName'>,
  parameters: ParameterMetadataMap,
  config: ApplicationConfig,
): readonly Extract[] {
  const extracts: Extract[] = [];
  const handler = `${classRef.name}.${methodName}`;
  for (const [key, parameter] of Object.entries(parameters)) {
    extracts[parameter.index] = buildExtract(findKind(key), parameter, { handler, parameters, config });
  }
  return Array.from(extracts, (extract) => extract ?? (() => undefined));
}

interface ParameterContext {
  /** Its name in the log. */
  readonly handler: string;
  readonly parameters: ParameterMetadataMap;
  readonly config: ApplicationConfig;
}

function buildExtract(
  kind: number | undefined,
  parameter: ParameterMetadata,
  surroundings: ParameterContext,
): Extract {
  const { data: field, factory, takesAll } = parameter;
  if (factory === readClaims) return (_args, context) => selectClaims(context, field);
  if (kind === ParameterKind.Context) return (_args, context) => context;
  if (kind !== undefined && REQUEST_PARAMETERS.has(kind))
    return buildRequestExtract(kind, parameter, surroundings);
  if (kind === undefined || !ARGUMENTS.has(kind)) return () => undefined;
  if (typeof field === 'string' && field !== '') return (args) => pickArgument(args, field);
  const others = takesAll === true ? [] : findOthers(kind, surroundings.parameters);
  return others.length === 0 ? (args) => args : (args) => omitArguments(args, others);
}

/** Reads a part of the HTTP request with Nest's own factory. */
function buildRequestExtract(
  kind: number,
  { index, data: field }: ParameterMetadata,
  { handler, config }: ParameterContext,
): Extract {
  const route = new RouteParamsFactory(config);
  const warn = createMissingWarning(handler, index, REQUEST_PARAMETERS.get(kind));
  return (_args, { http }) => {
    if (http === undefined) return warn('the call did not use HTTP');
    const given = { req: http.request, res: undefined, next: undefined };
    const value: unknown = route.exchangeKeyForValue(kind, field as string, given as never);
    return value === undefined && ALWAYS_SET_ON_ROUTES.has(kind)
      ? warn('the HTTP request does not contain it')
      : value;
  };
}

/** Warns once that a parameter is undefined, because a database query may treat `undefined` as no filter. */
function createMissingWarning(handler: string, index: number, decorator = '') {
  let isLogged = false;
  return (cause: string): undefined => {
    if (!isLogged) {
      logger.warn(
        `"${handler}" receives undefined for ${decorator} on the parameter at index [${index}]: ${cause}`,
      );
    }
    isLogged = true;
  };
}

/**
 * Finds the arguments that are not part of the body. On a route, the value of `@Param('id')` is not in the body, so a
 * checked or stored body must not contain it here either.
 */
function findOthers(kind: number, parameters: ParameterMetadataMap): readonly string[] {
  return Object.entries(parameters).flatMap(([key, { data }]) => {
    const other = findKind(key);
    const isOther = other !== undefined && other !== kind && ARGUMENTS.has(other);
    return isOther && typeof data === 'string' && data !== '' ? [data] : [];
  });
}

function pickArgument(args: unknown, name: string): unknown {
  return isObject(args) && Object.hasOwn(args, name) ? args[name] : undefined;
}

/** Copies arguments, which may be a DTO instance, without some of the properties. */
function omitArguments(args: unknown, names: readonly string[]): unknown {
  if (!isObject(args)) return args;
  const members = Object.getOwnPropertyDescriptors(args);
  for (const name of names) Reflect.deleteProperty(members, name);
  return Object.create(Object.getPrototypeOf(args) as object | null, members);
}
