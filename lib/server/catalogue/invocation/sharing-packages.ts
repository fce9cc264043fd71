/** What a parameter has in its source that a call cannot give, who gives it, and what to do instead. */
export interface Unserved {
  readonly decorator: string;
  readonly giver: string;
  readonly remedy: string;
}

type Row = readonly [decorator: string, remedy: string];

/**
 * A package whose parameter decorators write under Nest's metadata key of routes, with numbers of their own. The payload has the
 * number of `@Body()` in each of them.
 */
export interface SharingPackage {
  readonly name: string;
  /** What such a method is called in errors. */
  readonly giver: string;
  /** The decorator of what callers send. */
  readonly payload: string;
  readonly unserved: ReadonlyMap<number, Row>;
  /** What a method without parameter decorators gets there, where that is not first what callers send. */
  readonly first?: string;
}

/** By the beginning of the metadata keys that the package writes on methods and classes. */
const PACKAGES: ReadonlyMap<string, SharingPackage> = new Map([
  [
    'graphql',
    {
      name: '@nestjs/graphql',
      giver: 'a resolver',
      payload: '@Args()',
      unserved: new Map<number, Row>([
        [0, ['@Parent()', 'a call has no parent: take its id by @Args()']],
        [
          1,
          [
            '@Context()',
            'a call has no GraphQL context: read the request by "createParamDecorator()", or take @Context() of "nestjs-mcp"',
          ],
        ],
        [2, ['@Info()', 'a call selects no fields: return all of them']],
      ]),
      first: 'the parent',
    },
  ],
  [
    'websockets',
    {
      name: '@nestjs/websockets',
      giver: 'a gateway',
      payload: '@MessageBody()',
      unserved: new Map<number, Row>([
        [
          0,
          ['@ConnectedSocket()', 'a call has no socket: take @Context() of "nestjs-mcp" for who is calling'],
        ],
        [13, ['@Ack()', 'there is no socket: return what is to be sent']],
      ]),
      first: 'the socket',
    },
  ],
  [
    'microservices',
    {
      name: '@nestjs/microservices',
      giver: 'a message handler',
      payload: '@Payload()',
      unserved: new Map<number, Row>([
        [6, ['@Ctx()', 'a call comes by no broker: take @Context() of "nestjs-mcp"']],
        [9, ['the call of gRPC', 'a call comes by no gRPC: return what is to be sent']],
      ]),
    },
  ],
]);

/**
 * Finds the packages of which a method is a handler. A method that is none, and no route either, is read as others of its class
 * are: the decorators of its parameters are likely of the same package.
 */
export function findSharingPackages(
  classRef: object,
  method: object,
  isRoute: boolean,
): readonly SharingPackage[] {
  const ofMethod = findMarks(method);
  return ofMethod.length > 0 || isRoute ? ofMethod : findMarks(classRef);
}

/** Tells what a parameter of a method of these packages has that a call cannot give. */
export function findUnserved(packages: readonly SharingPackage[], kind: number): Unserved | undefined {
  for (const { name, giver, unserved } of packages) {
    const [decorator, remedy = ''] = unserved.get(kind) ?? [];
    if (decorator !== undefined) return { decorator: `${decorator} of "${name}"`, giver, remedy };
  }
  return undefined;
}

/** Tells what a method without parameter decorators expects first, if that is not what callers send. */
export function findUnservedFirst(packages: readonly SharingPackage[]): Unserved | undefined {
  const found = packages.find(({ first }) => first !== undefined);
  if (found === undefined) return undefined;
  const { first, name, giver, payload } = found;
  return {
    decorator: `no decorator, so it is ${String(first)} in "${name}"`,
    giver,
    remedy: `put ${payload} before what callers send`,
  };
}

function findMarks(owner: object): readonly SharingPackage[] {
  const keys: readonly unknown[] = Reflect.getMetadataKeys(owner);
  return [...PACKAGES].flatMap(([prefix, found]) =>
    keys.some((key) => typeof key === 'string' && key.startsWith(`${prefix}:`)) ? [found] : [],
  );
}
