import type { Observable } from 'rxjs';
import { quoteAll } from '../../../../core/words/words.js';
import {
  assertScopeVariables,
  listSchemaVariables,
  buildAccess,
} from '../../../catalog/building/build-access.js';
import { CatalogError } from '../../../catalog/catalog.error.js';
import { assertText } from '../../../catalog/building/handler-option-checks.js';
import type { Access } from '../../../catalog/entries.js';
import { compileSchema, EMPTY_OBJECT_SCHEMA } from '../../../schema/compile-schema.js';
import type { CompiledSchema } from '../../../schema/compiled-schema.interface.js';
import type {
  EventDeliveryMode,
  EventSourceOptions,
} from '../../../settings/extensions/event-source-options.js';
import type { SchemaSource } from '../../../settings/schema-source.interface.js';
import type { AccessOptions } from '../../../settings/handler-options.interface.js';

/** A source as listed in `events/list`. */
export interface EventDefinition {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly delivery: readonly EventDeliveryMode[];
  readonly inputSchema: object;
  readonly payloadSchema: object;
  readonly cursorless?: true;
  readonly _meta?: object;
}

/** The source options that can change while it runs. */
interface Declaration {
  definition: EventDefinition;
  options: EventSourceOptions;
  input: CompiledSchema;
  payload: CompiledSchema | undefined;
}

/** A source's latest declaration. All parts that serve it share this object. */
export interface EventSourceEntry extends Declaration {
  readonly name: string;
  readonly isCursorless: boolean;
  /** The access that subscribing requires; absent if nothing was declared. */
  readonly access?: Access;
  /** Gets the Observable from the application. Throws if there is none. */
  open(): Observable<unknown>;
}

/** The parts of a source. */
export interface EventSourceParts {
  readonly name: string;
  readonly options: EventSourceOptions;
  readonly access: AccessOptions;
  readonly hasWebhooks: boolean;
  open(): Observable<unknown>;
}

/**
 * Builds a source.
 *
 * @throws {CatalogError} if its name is not valid, its payload is not an object, its events cannot be delivered, or
 *   its access options contradict each other
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

/** The schema of a payload without a declared schema. */
const ANY_OBJECT = Object.freeze({ type: 'object' });

/** Changes a source's options, including for running streams. */
export function changeEventSourceEntry(entry: EventSourceEntry, changed: Declaration): void {
  const { definition, options, input, payload } = changed;
  Object.assign(entry, { definition, options, input, payload } satisfies Declaration);
}

/** Whether a schema without a type accepts objects becomes apparent only when it runs. */
function compilePayloadSchema(source: SchemaSource): CompiledSchema {
  const compiled = compileSchema(source, 'output');
  const { type = 'object' } = compiled.jsonSchema;
  if (type === 'object') return compiled;
  throw CatalogError.invalid('The option "payloadSchema" must describe an object: emit plain objects');
}

/** Returns the delivery modes that both the source and the server support. */
function selectDelivery({ options, hasWebhooks }: EventSourceParts): readonly EventDeliveryMode[] {
  const { cursorless, delivery: wanted } = options;
  const offered = [
    'push' as const,
    ...(cursorless === true ? [] : (['poll'] as const)),
    ...(hasWebhooks ? (['webhook'] as const) : []),
  ];
  const delivery = wanted === undefined ? offered : offered.filter((mode) => wanted.includes(mode));
  if (delivery.length > 0) return delivery;
  const known = quoteAll(offered);
  throw CatalogError.invalid(`The option "delivery" excludes every delivery mode: use one of ${known}`);
}

function buildDefinition(
  parts: EventSourceParts,
  input: CompiledSchema,
  payload: CompiledSchema | undefined,
): EventDefinition {
  const { title, description, cursorless, _meta } = parts.options;
  return {
    name: parts.name,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    delivery: selectDelivery(parts),
    inputSchema: input.jsonSchema,
    payloadSchema: payload?.jsonSchema ?? ANY_OBJECT,
    ...(cursorless === true && { cursorless }),
    ...(_meta && { _meta }),
  };
}
