import {
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
  ClassSerializerInterceptor,
  StreamableFile,
} from '@nestjs/common';
import { from, map, type Observable } from 'rxjs';
import { isPromiseLike } from '../../../core/async/promises.js';
import { HandlerExecutionContext } from './execution-context.js';
import { isContentBlock, isResourceContents } from '../../../core/protocol/content.js';
import { isObject } from '../../../core/protocol/json-rpc.js';

interface ReturnedValue {
  /** What it returned. */
  readonly given: unknown;
  readonly isGlobal: boolean;
  readonly cause: unknown;
}

/**
 * Thrown if an interceptor does not return an Observable, which can happen if it does not support calls of type
 * `mcp`.
 */
class InterceptorError extends Error {
  override readonly name = 'InterceptorError';

  constructor(className: string, { given, isGlobal, cause }: ReturnedValue) {
    const kind = given === null ? 'null' : typeof given;
    const fix = isGlobal ? 'exclude it with "globalEnhancers"' : 'remove it from the handler and its class';
    super(
      `The interceptor "${className}" returned ${kind} instead of an Observable: return "next.handle()" if "context.getType()" is "mcp", or ${fix}`,
      { cause },
    );
  }
}

type Intercept = NestInterceptor['intercept'];

const watched = new WeakMap<NestInterceptor, NestInterceptor>();

/**
 * Wraps an interceptor. If it does not return an Observable, the error names it, unlike the error from RxJS. A
 * serializer receives only the application's values in a result.
 *
 * @param isGlobal returns whether an interceptor is global
 */
export function watchInterceptor(
  interceptor: NestInterceptor,
  isGlobal: (interceptor: object) => boolean,
): NestInterceptor {
  const known = watched.get(interceptor);
  if (known !== undefined) return known;
  const plain: Intercept = (context, next) => interceptor.intercept(context, next);
  const intercept = isSerializer(interceptor) ? serializeParts(plain) : plain;
  const assert = (given: unknown) => assertStream(given, interceptor, isGlobal);
  const wrapped: NestInterceptor = {
    intercept: (context, next) => {
      const given: unknown = intercept(context, next);
      return isPromiseLike(given) ? Promise.resolve(given).then(assert) : assert(given);
    },
  };
  watched.set(interceptor, wrapped);
  return wrapped;
}

function assertStream(
  given: unknown,
  interceptor: NestInterceptor,
  isGlobal: (interceptor: object) => boolean,
): Observable<unknown> {
  try {
    return from(given as Observable<unknown>);
  } catch (cause) {
    throw new InterceptorError(interceptor.constructor.name, {
      given,
      isGlobal: isGlobal(interceptor),
      cause,
    });
  }
}

/**
 * Passes only the application's values in each result to a serializer, and inserts the serialized values in the same
 * order.
 */
function serializeParts(intercept: Intercept): Intercept {
  return async (context, next) => {
    const parts: SerializedPart[] = [];
    const handle = (): Observable<unknown> =>
      next.handle().pipe(
        map((result: unknown) => {
          const part = findSerializedPart(result, findMethod(context)) ?? passThrough(result);
          parts.push(part);
          return part.value;
        }),
      );
    const serialized: unknown = await intercept(context, { handle } satisfies CallHandler);
    if (serialized === undefined || serialized === null) return serialized as never;
    return from(serialized as Observable<unknown>).pipe(
      map((value) => {
        const part = parts.shift();
        return part === undefined ? value : part.complete(value);
      }),
    );
  };
}

function passThrough(result: unknown): SerializedPart {
  return { value: undefined, complete: () => result };
}

function findMethod(context: ExecutionContext): string {
  return context instanceof HandlerExecutionContext ? context.call.context.method : '';
}

type Members = { readonly [name: string]: unknown };

/** Serializers from optional packages, and from other copies of Nest. */
const NAMES: ReadonlySet<string> = new Set(['ClassSerializerInterceptor', 'ZodSerializerInterceptor']);

/** Returns whether an interceptor, or its class, decides which properties of a result are shown. */
export function isSerializer(interceptor: unknown): boolean {
  if (interceptor instanceof ClassSerializerInterceptor) return true;
  let classRef = typeof interceptor === 'function' ? interceptor : findClass(interceptor);
  while (typeof classRef === 'function' && classRef !== Function.prototype) {
    if (classRef === ClassSerializerInterceptor || NAMES.has(classRef.name)) return true;
    classRef = Object.getPrototypeOf(classRef) as unknown;
  }
  return false;
}

function findClass(instance: unknown): unknown {
  return isObject(instance) ? instance['constructor'] : undefined;
}

/** The part of a result that a serializer receives, and the function that puts its output back. */
interface SerializedPart {
  readonly value: unknown;
  readonly complete: (serialized: unknown) => unknown;
}

/** How a method's result is structured. */
interface ResultShape {
  /** The property that contains the parts. */
  readonly list: string;
  readonly others: readonly string[];
  readonly isPart: (value: unknown) => boolean;
}

const SHAPES: ReadonlyMap<string, ResultShape> = new Map<string, ResultShape>([
  ['tools/call', { list: 'content', others: ['isError', '_meta', 'resultType'], isPart: isBlock }],
  ['resources/read', { list: 'contents', others: ['_meta'], isPart: isContents }],
  ['prompts/get', { list: 'messages', others: ['description', '_meta'], isPart: isMessage }],
]);

/** The properties of blocks, messages and contents. */
const MEMBERS: ReadonlySet<string> = new Set([
  ...['type', 'text', 'data', 'mimeType', 'resource', 'uri', 'blob', 'name', 'title', 'description', 'size'],
  ...['icons', 'annotations', '_meta', 'role', 'content'],
]);

/**
 * Finds the part of a result that a serializer may process: the application's values. It must not process bytes or
 * protocol structures, which it might turn into `{}`. In that case, nothing is serialized.
 *
 * @param method the protocol's method
 */
export function findSerializedPart(result: unknown, method: string): SerializedPart | undefined {
  const shape = SHAPES.get(method);
  if (shape === undefined || isBytes(result) || isOfProtocol(result, shape)) return undefined;
  if (method === 'tools/call' && isPlain(result) && 'structuredContent' in result) {
    const complete = (structuredContent: unknown) => ({ ...result, structuredContent });
    return { value: result['structuredContent'], complete };
  }
  return { value: result, complete: (serialized) => serialized };
}

function isOfProtocol(value: unknown, { list, others, isPart }: ResultShape): boolean {
  if (Array.isArray(value)) return value.length > 0 && value.every(isPart);
  if (isPart(value)) return true;
  if (!isPlain(value) || !Object.keys(value).every((name) => name === list || others.includes(name))) {
    return false;
  }
  const parts = value[list];
  return Array.isArray(parts) ? parts.every(isPart) : value['isError'] === true;
}

function isBlock(value: unknown): boolean {
  if (!hasKnownMembers(value)) return false;
  if (isContentBlock(value)) return true;
  const { type, data, resource } = value;
  return type === 'resource' ? isContents(resource) : (type === 'image' || type === 'audio') && isBytes(data);
}

function isContents(value: unknown): boolean {
  if (!hasKnownMembers(value)) return false;
  return isResourceContents(value) || (typeof value['uri'] === 'string' && isBytes(value['blob']));
}

function isMessage(value: unknown): boolean {
  if (typeof value === 'string' || isBlock(value)) return true;
  return hasKnownMembers(value) && typeof value['role'] === 'string' && isBlock(value['content']);
}

/** Other properties belong to the application, and a serializer may hide them. */
function hasKnownMembers(value: unknown): value is Members {
  return isPlain(value) && Object.keys(value).every((name) => MEMBERS.has(name));
}

/** A class instance is an application value, even if it has a block's properties. */
function isPlain(value: unknown): value is Members {
  if (!isObject(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function isBytes(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return (
    ArrayBuffer.isView(value) ||
    value instanceof ArrayBuffer ||
    value instanceof Blob ||
    value instanceof StreamableFile ||
    Symbol.asyncIterator in value ||
    Object.prototype.toString.call(value) === '[object Response]'
  );
}
