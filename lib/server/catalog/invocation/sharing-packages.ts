import { isObject } from '../../../core/protocol/json-rpc.js';
import { ParameterKind, type ParameterMetadataMap } from '../../decorators/parameter.decorators.js';
import { PARAMETER_METADATA } from '../../settings/mcp.constants.js';

/** A decorator whose value a call cannot provide, what does provide it, and what to do instead. */
export interface UnsupportedParameter {
  readonly decorator: string;
  readonly giver: string;
  readonly fix: string;
}

type Row = readonly [decorator: string, fix: string];

/**
 * A package whose parameter decorators use Nest's route metadata key with different numbers. All of them use the
 * number of `@Body()` for the payload.
 */
export interface SharingPackage {
  readonly name: string;
  /** The metadata keys that the package writes on methods and classes. */
  readonly marks: RegExp;
  /** How errors refer to such a method. */
  readonly giver: string;
  /** The decorator for the payload that callers send. */
  readonly payload: string;
  readonly unserved: ReadonlyMap<number, Row>;
  /** The first argument that the package passes to a method without parameter decorators, if it is not the payload. */
  readonly first?: string;
}

const PACKAGES: readonly SharingPackage[] = [
  {
    name: '@nestjs/graphql',
    marks: /^graphql:/,
    giver: 'a resolver',
    payload: '@Args()',
    unserved: new Map<number, Row>([
      [0, ['@Parent()', 'a call has no parent: accept its ID with @Args()']],
      [
        1,
        [
          '@Context()',
          'a call has no GraphQL context: read the request with "createParamDecorator()", or use @Context() from "nestjs-mcp"',
        ],
      ],
      [2, ['@Info()', 'a call selects no fields: return all of them']],
    ]),
    first: 'the parent',
  },
  {
    name: '@nestjs/websockets',
    marks: /^websockets:/,
    giver: 'a gateway',
    payload: '@MessageBody()',
    unserved: new Map<number, Row>([
      [
        0,
        [
          '@ConnectedSocket()',
          'a call has no socket: use @Context() from "nestjs-mcp" to identify the caller',
        ],
      ],
      [13, ['@Ack()', 'there is no socket: return the result']],
    ]),
    first: 'the socket',
  },
  {
    name: '@nestjs/microservices',
    marks: /^microservices:/,
    giver: 'a message handler',
    payload: '@Payload()',
    unserved: new Map<number, Row>([
      [6, ['@Ctx()', 'a call does not come from a broker: use @Context() from "nestjs-mcp"']],
      [9, ['the gRPC call', 'a call does not use gRPC: return the result']],
    ]),
  },
  {
    name: 'nestjs-telegraf',
    marks: /^(?:LISTENERS|WIZARD_STEP|UPDATE|SCENE|COMPOSER)_METADATA$/,
    giver: 'a bot',
    payload: '@Message()',
    unserved: new Map<number, Row>([
      [0, ['@Ctx()', 'a call does not come from a bot: use @Context() from "nestjs-mcp"']],
      [1, ['@Next()', 'nothing runs after a handler: return a result, or throw an error']],
      [2, ['@Sender()', 'a call does not come from a bot: use @Context() from "nestjs-mcp"']],
    ]),
    first: 'the context',
  },
];

/**
 * Finds the packages for which a method is a handler. A method that is neither a handler nor a route is treated like the
 * others in its class, because its parameter decorators are probably from the same package.
 */
export function findSharingPackages(
  classRef: object,
  method: object,
  isRoute: boolean,
): readonly SharingPackage[] {
  const ofMethod = findMarks(method);
  return ofMethod.length > 0 || isRoute ? ofMethod : findMarks(classRef);
}

/** Finds a parameter whose value these packages cannot provide in a call. */
export function findUnserved(
  packages: readonly SharingPackage[],
  kind: number,
): UnsupportedParameter | undefined {
  for (const { name, giver, unserved } of packages) {
    const [decorator, fix = ''] = unserved.get(kind) ?? [];
    if (decorator !== undefined) return { decorator: `${decorator} of "${name}"`, giver, fix };
  }
  return undefined;
}

/** Finds the first argument that a method without parameter decorators expects, if it is not the payload. */
export function findUnservedFirst(packages: readonly SharingPackage[]): UnsupportedParameter | undefined {
  const found = packages.find(({ first }) => first !== undefined);
  if (found === undefined) return undefined;
  const { first, name, giver, payload } = found;
  return {
    decorator: `no decorator, so it is ${String(first)} in "${name}"`,
    giver,
    fix: `put ${payload} on the parameter that callers send`,
  };
}

/**
 * Finds a parameter that another package decorates under a separate key, for Nest's `ExternalContextCreator`. Here it
 * would receive a value based on its index. The payload has the same number as in Nest.
 */
export function findForeignParameter(
  classRef: object,
  methodName: string,
  decorated: ParameterMetadataMap,
): { readonly index: number; readonly unserved: UnsupportedParameter } | undefined {
  const own = new Set(Object.values(decorated).map(({ index }) => index));
  const keys: readonly unknown[] = Reflect.getMetadataKeys(classRef, methodName);
  for (const key of keys.filter((one) => one !== PARAMETER_METADATA)) {
    const foreign = listForeign(Reflect.getMetadata(key, classRef, methodName));
    const found = foreign.find(({ index, isPayload }) => !own.has(index) && !(isPayload && index === 0));
    if (found === undefined) continue;
    const unserved = {
      decorator: `a decorator from another package, which stores it as "${String(key)}"`,
      giver: 'that package',
      fix: 'use @Arguments() or @Context() from "nestjs-mcp"',
    };
    return { index: found.index, unserved };
  }
  return undefined;
}

function listForeign(stored: unknown) {
  if (!isObject(stored) || Array.isArray(stored)) return [];
  return Object.entries(stored).flatMap(([key, parameter]) => {
    const [, kind, place] = /^(\w+):(\d+)$/.exec(key) ?? [];
    if (!isObject(parameter) || parameter['index'] !== Number(place)) return [];
    const isPayload = kind === String(ParameterKind.Arguments) && parameter['data'] === undefined;
    return [{ index: Number(place), isPayload }];
  });
}

function findMarks(owner: object): readonly SharingPackage[] {
  const keys: readonly unknown[] = Reflect.getMetadataKeys(owner);
  return PACKAGES.filter(({ marks }) => keys.some((key) => typeof key === 'string' && marks.test(key)));
}
