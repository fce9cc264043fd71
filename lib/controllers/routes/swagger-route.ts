import { isObject } from '../../core/protocol/json-rpc.js';
import type { DtoClass, JsonSchema } from '../../server/schema/compiled-schema.interface.js';
import { describeClass } from '../arguments/describe-parameter.js';
import type { Location } from '../arguments/route-arguments.js';
import { describeSwaggerClass, isSwaggerClass } from '../arguments/swagger-class.js';
import type { SchemaSource } from '../../server/settings/schema-source.interface.js';
import type { FoundRoute } from './found-route.js';

/** The metadata keys of `@nestjs/swagger`, which does not have to be installed. */
const OPERATION = 'swagger/apiOperation';
const PARAMETERS = 'swagger/apiParameters';
const HEADERS = 'swagger/apiHeaders';
const MODELS = 'swagger/apiExtraModels';
const RESPONSE = 'swagger/apiResponse';
const TAGS = 'swagger/apiUseTags';
const CONSUMES = 'swagger/apiConsumes';
const EXCLUDED_ROUTE = 'swagger/apiExcludeEndpoint';
const EXCLUDED_CONTROLLER = 'swagger/apiExcludeController';

/** What swagger decorators declare about a route. */
export interface SwaggerOperation {
  readonly operationId?: string | undefined;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly tags: readonly string[];
  /** Whether the route is excluded from the documentation. */
  readonly isExcluded: boolean;
  /** Whether the route accepts files. */
  readonly takesFiles: boolean;
}

/** The options of `@ApiParam()`, `@ApiQuery()`, `@ApiHeader()` or `@ApiBody()`. */
export interface SwaggerParameter {
  readonly in: Location;
  /** Empty for an entire query, and for the body. */
  readonly name: string;
  readonly options: JsonSchema;
}

/** Reads a route's operation. */
export function readSwaggerOperation({ controller, handler }: FoundRoute): SwaggerOperation {
  const operation = readObject(OPERATION, handler);
  const { summary, description, operationId } = operation;
  const texts = [summary, description].filter(
    (text): text is string => typeof text === 'string' && text !== '',
  );
  const tags = [controller, handler].flatMap((owner) => readList(TAGS, owner));
  const consumed = [controller, handler].flatMap((owner) => readList(CONSUMES, owner));
  return {
    operationId: typeof operationId === 'string' && operationId !== '' ? operationId : undefined,
    title: typeof summary === 'string' && summary !== '' ? summary : undefined,
    description: texts.length === 0 ? undefined : texts.join('\n\n'),
    tags: [...new Set(tags.filter((tag): tag is string => typeof tag === 'string'))],
    isExcluded:
      readObject(EXCLUDED_ROUTE, handler)['disable'] === true ||
      readList(EXCLUDED_CONTROLLER, controller)[0] === true,
    takesFiles: consumed.includes('multipart/form-data'),
  };
}

/** Reads the parameters described by decorators on the method or class. */
export function readSwaggerParameters({ controller, handler }: FoundRoute): readonly SwaggerParameter[] {
  const models = [handler, controller].flatMap((owner) => readList(MODELS, owner));
  return [...readList(PARAMETERS, handler), ...readList(HEADERS, controller)]
    .filter(isObject)
    .map(({ in: where, name, schema, ...options }) => ({
      in: where as Location,
      name: typeof name === 'string' ? name : '',
      options: { ...options, ...(schema !== undefined && { schema: inlineModels(schema, models) }) },
    }));
}

/** Replaces references to the classes in `@ApiExtraModels()`. */
function inlineModels(value: unknown, models: readonly unknown[]): unknown {
  if (Array.isArray(value)) return value.map((item) => inlineModels(item, models));
  if (!isObject(value)) return value;
  const model = models.find((one) => value['$ref'] === `#/components/schemas/${(one as DtoClass).name}`);
  if (model !== undefined) return describeClass(model);
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, inlineModels(inner, models)]),
  );
}

/** Finds the schema of a route's response, if an `@ApiResponse()` with a success status has a type. */
export function findResponseSchema({ handler }: FoundRoute): SchemaSource | undefined {
  const responses = Object.entries(readObject(RESPONSE, handler));
  const [, found] = responses.find(([status]) => /^2\d\d$/.test(status)) ?? [];
  if (!isObject(found)) return undefined;
  const { type, isArray, schema } = found;
  if (isObject(schema) && !JSON.stringify(schema).includes('"$ref"')) return schema;
  if (!isSwaggerClass(type)) return undefined;
  const one = describeSwaggerClass(type, 'output');
  return isArray === true ? { type: 'array', items: one } : one;
}

function readObject(key: string, owner: object): JsonSchema {
  const found: unknown = Reflect.getMetadata(key, owner);
  return isObject(found) ? found : {};
}

function readList(key: string, owner: object): readonly unknown[] {
  const found: unknown = Reflect.getMetadata(key, owner);
  return Array.isArray(found) ? (found as readonly unknown[]) : [];
}
