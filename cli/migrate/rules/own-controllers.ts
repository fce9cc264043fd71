import type { ClassDeclaration, Decorator, MethodDeclaration, Node } from 'ts-morph';
import type { Migration } from '../migration.js';
import { findObject, findProperty, getValue } from '../source/objects.js';
import type { SourceMigration } from '../source/source-migration.js';
import { joinPath } from './endpoint-options.js';

/** An application controller that only forwards requests to the other package, as the module does here. */
export interface OwnController {
  readonly file: SourceMigration;
  readonly declaration: ClassDeclaration;
  readonly path: string;
  /** The path of HTTP+SSE, if the controller serves it too. */
  readonly ssePath: string | undefined;
  /** Guards and the like. */
  readonly decorators: readonly Decorator[];
  /** The release 2 transport that it serves. */
  readonly transport: Node | undefined;
}

/** Finds the controllers that can be migrated automatically. Others require a decision. */
export function findOwnControllers(migration: Migration): readonly OwnController[] {
  return migration.files.flatMap((file) =>
    file.file.getClasses().flatMap((declaration) => {
      const controller = declaration.getDecorator('Controller');
      if (controller === undefined || declaration.getName() === undefined) return [];
      const prefix = readPrefix(file, controller);
      const own = prefix === undefined ? undefined : readController(file, declaration, prefix);
      return own === undefined ? [] : [own];
    }),
  );
}

/** Returns the path prefix of its routes, or `undefined` if the controller has further options, such as a version. */
function readPrefix(file: SourceMigration, controller: Decorator): Node | string | undefined {
  const { morph } = file.facts;
  const [argument] = controller.getArguments();
  if (argument === undefined) return '';
  const object = findObject(argument, morph);
  if (object === undefined) return argument;
  return object.getProperties().length > 1 ? undefined : getValue(findProperty(object, 'path', morph), morph);
}

function readController(
  file: SourceMigration,
  declaration: ClassDeclaration,
  prefix: Node | string,
): OwnController | undefined {
  const decorators = declaration.getDecorators().filter((one) => one.getName() !== 'Controller');
  const extended = declaration.getExtends();
  if (extended !== undefined) {
    const path = joinPath(file, [prefix]);
    const transport = readBound(file, declaration);
    if (path === undefined || transport === undefined) return undefined;
    return { file, declaration, path, ssePath: undefined, decorators, transport };
  }
  const routes = readRoutes(file, declaration);
  const [first] = routes ?? [];
  if (routes === undefined || first === undefined) return undefined;
  const pathOf = (kind: Route['kind']) => {
    const paths = routes
      .filter((route) => route.kind === kind)
      .map(({ path }) => joinPath(file, [prefix, path]));
    return new Set(paths).size === 1 ? paths[0] : undefined;
  };
  const path = pathOf('http');
  const ssePath = pathOf('sse');
  // Guards of a single route would apply to all routes.
  const isSame = routes.every(({ further }) => texts(further) === texts(first.further));
  const isSse = routes.some(({ kind }) => kind === 'sse');
  if (path === undefined || !isSame || (isSse && ssePath === undefined)) return undefined;
  return {
    file,
    declaration,
    path,
    ssePath,
    decorators: [...decorators, ...first.further],
    transport: undefined,
  };
}

function texts(decorators: readonly Decorator[]): string {
  return decorators.map((one) => one.getText()).join('\n');
}

/** `extends McpHttpControllerFor(transport) {}` */
function readBound(file: SourceMigration, declaration: ClassDeclaration): Node | undefined {
  const { Node: is } = file.facts.morph;
  const extended = declaration.getExtends()?.getExpression();
  if (!is.isCallExpression(extended) || declaration.getMembers().length > 0) return undefined;
  return file.nameOf(extended.getExpression()) === 'McpHttpControllerFor'
    ? extended.getArguments()[0]
    : undefined;
}

interface Route {
  readonly kind: 'http' | 'sse' | 'messages';
  readonly path: Node | string;
  /** Decorators besides the route decorator. */
  readonly further: readonly Decorator[];
}

const SERVICES = new Set(['McpStreamableHttpService', 'McpSseService']);
const ROUTES = new Set(['Post', 'Get', 'Delete', 'All']);

/** The services' methods, with the kind of route that they serve. */
const KINDS: Readonly<Record<string, Route['kind']>> = {
  handlePostRequest: 'http',
  handleGetRequest: 'http',
  handleDeleteRequest: 'http',
  createSseConnection: 'sse',
  handleMessage: 'messages',
};

/** Reads a controller's routes. Returns `undefined` if the class does anything else. */
function readRoutes(file: SourceMigration, declaration: ClassDeclaration): readonly Route[] | undefined {
  const { Node: is } = file.facts.morph;
  const [constructor, ...others] = declaration.getConstructors();
  const parameters = constructor?.getParameters() ?? [];
  const areServices = parameters.every((parameter) => {
    const type = parameter.getTypeNode();
    const name = is.isTypeReference(type) ? file.nameOf(type.getTypeName()) : undefined;
    return name !== undefined && SERVICES.has(name);
  });
  const isEmpty = constructor?.getStatements().length === 0;
  if (others.length > 0 || parameters.length === 0 || !areServices || !isEmpty) return undefined;
  const names = new Set(parameters.map((parameter) => parameter.getName()));
  const routes = declaration.getMethods().map((method) => readRoute(file, method, names));
  return routes.includes(undefined) ? undefined : routes.filter((route) => route !== undefined);
}

function readRoute(
  { facts }: SourceMigration,
  method: MethodDeclaration,
  services: ReadonlySet<string>,
): Route | undefined {
  const { Node: is } = facts.morph;
  const [route, ...more] = method.getDecorators().filter((one) => ROUTES.has(one.getName()));
  const [statement, ...rest] = method.getStatements();
  if (route === undefined || more.length > 0 || rest.length > 0) return undefined;
  const isPlain = is.isReturnStatement(statement) || is.isExpressionStatement(statement);
  const said = isPlain ? statement.getExpression() : undefined;
  const call = is.isAwaitExpression(said) ? said.getExpression() : said;
  if (!is.isCallExpression(call)) return undefined;
  const [, service = '', called = ''] = /^this\.(\w+)\.(\w+)$/.exec(call.getExpression().getText()) ?? [];
  const kind = Object.hasOwn(KINDS, called) ? KINDS[called] : undefined;
  if (kind === undefined || !services.has(service)) return undefined;
  const further = method.getDecorators().filter((one) => one !== route);
  return { kind, path: route.getArguments()[0] ?? '', further };
}
