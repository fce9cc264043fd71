import { isObject } from '../../core/protocol/json-rpc.js';
import { quoteAll } from '../../core/words/words.js';
import {
  ParameterKind,
  findKind,
  type ParameterMetadataMap,
} from '../../server/decorators/parameter.decorators.js';
import type { JsonSchema } from '../../server/schema/compiled-schema.interface.js';
import { PARAMETER_METADATA } from '../../server/settings/mcp.constants.js';
import type { FoundRoute } from '../routes/found-route.js';
import { RouteRefusal } from '../routes/route-refusal.js';
import { readSwaggerParameters, type SwaggerParameter } from '../routes/swagger-route.js';
import type { PathTemplate } from '../routes/path-template.js';
import { describeParameter, findObjectSchema, type DeclaredParameter } from './describe-parameter.js';
import { RouteArguments, type Location, type RequestValue, type RouteArgument } from './route-arguments.js';

/** The parts of a request that parameters are read from. */
const LOCATIONS: ReadonlyMap<number | undefined, Location> = new Map([
  [ParameterKind.Path, 'path'],
  [ParameterKind.Query, 'query'],
  [ParameterKind.Headers, 'header'],
  [ParameterKind.Arguments, 'body'],
]);

interface ReadParameter extends DeclaredParameter {
  readonly location: Location;
  readonly name: string | undefined;
}

/** How the application and the options determine arguments. */
export interface ArgumentSettings {
  readonly path: PathTemplate;
  /** The headers that are arguments, in lowercase. */
  readonly headers: readonly string[];
  /** Whether the application parses nested values in queries. */
  readonly isNested: boolean;
}

/**
 * Finds a route's arguments: its path parameters, and what its decorators read from the query, headers and body. Each
 * DTO property becomes an argument, unless two have the same name.
 *
 * @throws {RouteRefusal} if two arguments have the same name
 * @throws {SchemaError} if a schema cannot be shown as JSON Schema
 */
export function findArguments(route: FoundRoute, settings: ArgumentSettings): RouteArguments {
  const definitions = new Definitions();
  const parameters = readParameters(route);
  const bodies = spread(parameters, 'body', definitions);
  const others = [
    ...listPathValues(settings.path, spread(parameters, 'path', definitions)),
    ...spread(parameters, 'query', definitions),
    ...spread(parameters, 'header', definitions).filter(({ name = '' }) => settings.headers.includes(name)),
  ];
  const taken = new Set(others.map(({ name }) => name));
  const isFlat = bodies.every(({ name }) => name !== undefined && !taken.has(name));
  const listed = [...others, ...(isFlat ? bodies : joinBody(bodies))].map((value): RouteArgument => ({
    ...value,
    argument: value.name ?? 'body',
  }));
  assertDistinct(listed.map(({ argument }) => argument));
  return new RouteArguments(settings.path, listed, settings.isNested, definitions.all);
}

function assertDistinct(names: readonly string[]): void {
  const repeated = names.filter((name, index) => names.indexOf(name) !== index);
  if (repeated.length === 0) return;
  throw new RouteRefusal(`has several parameters named ${quoteAll(new Set(repeated))}`);
}

/** Every path parameter is an argument, even if the method does not read it. */
function listPathValues(path: PathTemplate, read: readonly RequestValue[]): readonly RequestValue[] {
  return path.names.map((name) => {
    const found = read.find((value) => value.name === name);
    const schema = found?.schema ?? { type: 'string' };
    return { ...found, location: 'path', name, schema, isRequired: path.required.includes(name) };
  });
}

/** Turns the body into a single argument, if a name is in use or the body's properties are unknown. */
function joinBody(values: readonly RequestValue[]): readonly RequestValue[] {
  const whole = values.find(({ name }) => name === undefined);
  if (whole !== undefined) return [whole];
  const required = values.filter(({ isRequired }) => isRequired).map(({ name }) => String(name));
  const properties = Object.fromEntries(values.map(({ name, schema }) => [String(name), schema]));
  const schema = { type: 'object', properties, ...(required.length > 0 && { required }) };
  return [{ location: 'body', schema, isRequired: required.length > 0 }];
}

/** Lists the values in one location. DTOs are replaced with their properties. Values with the same name are merged. */
function spread(
  parameters: readonly ReadParameter[],
  location: Location,
  definitions: Definitions,
): readonly RequestValue[] {
  const values = new Map<string | undefined, RequestValue>();
  const own = parameters.filter((parameter) => parameter.location === location);
  for (const value of own.flatMap((parameter) => describe(parameter, definitions))) {
    const key = location === 'header' ? value.name?.toLowerCase() : value.name;
    const known = values.get(key);
    const schema = { ...value.schema, ...known?.schema };
    values.set(key, { ...value, ...known, schema, ...(key !== undefined && { name: key }) });
  }
  return [...values.values()];
}

function describe(parameter: ReadParameter, definitions: Definitions): readonly RequestValue[] {
  const { location, name } = parameter;
  if (name !== undefined) {
    const described = describeParameter(parameter);
    // All values in a request are strings, except in its body.
    const isUnknown = location !== 'body' && Object.keys(described.schema).length === 0;
    const schema = isUnknown ? { type: 'string' } : definitions.move(described.schema);
    return [{ location, name, ...described, schema }];
  }
  const shown = definitions.move(findObjectSchema(parameter));
  const properties = shown['properties'];
  if (isObject(properties) && !('anyOf' in shown) && !('oneOf' in shown)) {
    const required = new Set(
      Array.isArray(shown['required']) ? (shown['required'] as readonly string[]) : [],
    );
    return Object.entries(properties).map(([property, described]) => ({
      location,
      name: property,
      schema: described as JsonSchema,
      isRequired: required.has(property),
    }));
  }
  // If a query or headers have no known parameters, there is nothing to pass.
  return location === 'body' ? [{ location, schema: shown, isRequired: true }] : [];
}

/** Reads the method's parameters, and the ones that only swagger describes because the method reads the request. */
function readParameters(route: FoundRoute): readonly ReadParameter[] {
  const swagger = readSwaggerParameters(route);
  const decorated = readDecorated(route).map((parameter) => withSwagger(parameter, swagger));
  const described = swagger.map(({ in: location, name, options }) => {
    return { location, name: name === '' ? undefined : name, pipes: [], type: undefined, swagger: options };
  });
  const hasBody = decorated.some(({ location }) => location === 'body');
  return [...decorated, ...described.filter(({ location }) => !(hasBody && location === 'body'))];
}

function withSwagger(parameter: ReadParameter, swagger: readonly SwaggerParameter[]): ReadParameter {
  const { location, name = '' } = parameter;
  const found = swagger.find((one) => one.in === location && one.name.toLowerCase() === name.toLowerCase());
  return found === undefined ? parameter : { ...parameter, swagger: found.options };
}

function readDecorated({ controller, methodName }: FoundRoute): readonly ReadParameter[] {
  const decorated: ParameterMetadataMap =
    Reflect.getMetadata(PARAMETER_METADATA, controller, methodName) ?? {};
  const prototype = controller.prototype as object;
  const types: readonly unknown[] = Reflect.getMetadata('design:paramtypes', prototype, methodName) ?? [];
  return Object.entries(decorated)
    .toSorted(([, one], [, other]) => one.index - other.index)
    .flatMap(([key, parameter]) => {
      const location = LOCATIONS.get(findKind(key));
      if (location === undefined) return [];
      const { index, data, pipes = [] } = parameter;
      const schema: unknown = Reflect.get(parameter, 'schema');
      const name = typeof data === 'string' && data !== '' ? data : undefined;
      return [{ location, name, pipes, type: types[index], schema, swagger: undefined }];
    });
}

/** Collects the definitions of several schemas that become parts of one schema. */
class Definitions {
  readonly #all: Record<string, JsonSchema> = {};

  get all(): JsonSchema {
    return this.#all;
  }

  /** Returns a schema whose references point to the collected definitions. */
  move(schema: JsonSchema): JsonSchema {
    if (!JSON.stringify(schema).includes('"$ref"')) return schema;
    const prefix = `schema${Object.keys(this.#all).length}`;
    const { $defs, ...root } = schema;
    const moved = new Map<string, string>([['#', prefix]]);
    const inner = isObject($defs) ? Object.entries($defs) : [];
    for (const [name] of inner) moved.set(`#/$defs/${name}`, `${prefix}.${name}`);
    for (const [name, one] of inner) this.#all[`${prefix}.${name}`] = redirect(one, moved) as JsonSchema;
    const redirected = redirect(root, moved) as JsonSchema;
    if (JSON.stringify(redirected).includes(`"#/$defs/${prefix}"`)) this.#all[prefix] = redirected;
    return redirected;
  }
}

function redirect(value: unknown, moved: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((item) => redirect(item, moved));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      const target = name === '$ref' && typeof inner === 'string' ? moved.get(inner) : undefined;
      return [name, target === undefined ? redirect(inner, moved) : `#/$defs/${target}`];
    }),
  );
}
