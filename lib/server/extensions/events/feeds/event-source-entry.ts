import type { Observable } from 'rxjs';
import {
  assertScopeVariables,
  listSchemaVariables,
} from '../../../catalogue/building/assert-scope-variables.js';
import { buildAccess } from '../../../catalogue/building/build-access.js';
import { CatalogueError } from '../../../catalogue/catalogue.error.js';
import { assertText } from '../../../catalogue/building/assert-options.js';
import type { Access } from '../../../catalogue/entries.js';
import { compileSchema } from '../../../schema/compile-schema.js';
import type { CompiledSchema } from '../../../schema/compiled-schema.interface.js';
import { EMPTY_OBJECT_SCHEMA } from '../../../schema/empty-object-schema.js';
import type { EventSourceOptions } from '../../../settings/extensions/event-source-options.interface.js';
import type { SchemaSource } from '../../../settings/schema-source.interface.js';
import type { AccessOptions } from '../../../settings/handler-options.interface.js';

/** How events reach clients: on demand, on a stream, or posted to a URL. */
export type DeliveryMode = 'poll' | 'push' | 'webhook';

/** A source as `events/list` shows it. */
export interface EventDefinition {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly delivery: readonly DeliveryMode[];
  readonly inputSchema: object;
  readonly payloadSchema?: object;
  readonly cursorless?: true;
  readonly _meta?: object;
}

/** A source of events, as it was declared. */
export interface EventSourceEntry {
  readonly name: string;
  readonly definition: EventDefinition;
  readonly options: EventSourceOptions;
  readonly isCursorless: boolean;
  readonly input: CompiledSchema;
  readonly payload: CompiledSchema | undefined;
  /** Who may listen, where that is said. */
  readonly access?: Access;
  /** Asks the application for the Observable; throws where there is none. */
  open(): Observable<unknown>;
}

/** What a source is built from. */
export interface EventSourceParts {
  readonly name: string;
  readonly options: EventSourceOptions;
  readonly access: AccessOptions;
  readonly takesWebhooks: boolean;
  open(): Observable<unknown>;
}

/**
 * Builds a source.
 *
 * @throws {CatalogueError} when its name cannot be used, its payload is no object, or its access contradicts itself
 * @throws {SchemaError} when a schema cannot be used
 */
export function buildEventSourceEntry(parts: EventSourceParts): EventSourceEntry {
  const { name, options, access, open } = parts;
  assertText('name', name);
  const { inputSchema, payloadSchema } = options;
  const input = inputSchema === undefined ? EMPTY_OBJECT_SCHEMA : compileSchema(inputSchema, 'input');
  const payload = payloadSchema === undefined ? undefined : compilePayloadSchema(payloadSchema);
  const built = buildAccess(access);
  assertScopeVariables(built.access, listSchemaVariables(input.jsonSchema, '"inputSchema"'));
  return {
    name,
    options,
    isCursorless: options.cursorless === true,
    input,
    payload,
    ...built,
    definition: buildDefinition(parts, input, payload),
    open,
  };
}

/** Other schemas are known to take objects too only when they are tried. */
function compilePayloadSchema(source: SchemaSource): CompiledSchema {
  const compiled = compileSchema(source, 'output');
  const { type = 'object' } = compiled.jsonSchema;
  if (type === 'object') return compiled;
  throw CatalogueError.invalid('The option "payloadSchema" must describe an object: emit plain objects');
}

function buildDefinition(
  { name, options, takesWebhooks }: EventSourceParts,
  input: CompiledSchema,
  payload: CompiledSchema | undefined,
): EventDefinition {
  const { title, description, cursorless, _meta } = options;
  return {
    name,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    delivery: [
      'push',
      ...(cursorless === true ? [] : (['poll'] as const)),
      ...(takesWebhooks ? (['webhook'] as const) : []),
    ],
    inputSchema: input.jsonSchema,
    ...(payload && { payloadSchema: payload.jsonSchema }),
    ...(cursorless === true && { cursorless }),
    ...(_meta && { _meta }),
  };
}
