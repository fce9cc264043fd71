import { validateHeaderValue } from 'node:http';
import { isObject } from '../../core/protocol/json-rpc.js';
import { quoteAll } from '../../core/words/words.js';
import type { JsonSchema } from '../../server/schema/compiled-schema.interface.js';
import type { StandardIssue, StandardSchema } from '../../server/settings/schema-source.interface.js';
import type { PathTemplate } from '../routes/path-template.js';
import { formatQuery, isQueryValue, isWellFormed } from './format-query.js';

/** Where a request contains a value. */
export type Location = 'path' | 'query' | 'header' | 'body';

/** A request value that callers pass as an argument. */
export interface RequestValue {
  readonly location: Location;
  /** The name in the request; absent for the entire body. */
  readonly name?: string;
  readonly schema: JsonSchema;
  readonly isRequired: boolean;
  /** Joins the items of a list; absent if each item has its own parameter. */
  readonly separator?: string;
}

/** An argument of a tool. */
export interface RouteArgument extends RequestValue {
  readonly argument: string;
}

/** The parts of a request built from a call's arguments. */
export interface BuiltRequest {
  readonly url: string;
  readonly headers: { readonly [name: string]: string };
  readonly body?: Buffer;
}

/** The arguments of a route's tool. */
export class RouteArguments {
  readonly #known: ReadonlySet<string>;
  readonly #hasBody: boolean;

  /**
   * @param isNested whether the application parses brackets in query parameter names as nested values
   * @param definitions the definitions that the arguments' schemas refer to
   */
  constructor(
    private readonly path: PathTemplate,
    private readonly given: readonly RouteArgument[],
    private readonly isNested: boolean,
    private readonly definitions: JsonSchema,
  ) {
    this.#known = new Set(given.map(({ argument }) => argument));
    this.#hasBody = given.some(({ location }) => location === 'body');
  }

  /** The headers that are arguments, in lowercase. */
  get headers(): readonly string[] {
    return this.given.flatMap(({ location, name }) =>
      location === 'header' && name !== undefined ? [name] : [],
    );
  }

  /**
   * The schema of the arguments, which lists show to models. The route itself validates the values, so a call is
   * rejected exactly if the route rejects it; only what cannot be written into a request is rejected earlier.
   */
  get schema(): StandardSchema {
    return {
      '~standard': {
        version: 1,
        vendor: 'nestjs-mcp',
        validate: (value) => {
          const issues = this.#findIssues(value as JsonSchema);
          return issues.length > 0 ? { issues } : { value };
        },
        jsonSchema: { input: () => this.#describe(), output: () => this.#describe() },
      },
    };
  }

  /** Builds a request from the arguments of a call, which must have been validated against the schema. */
  build(values: JsonSchema): BuiltRequest {
    const path = this.path.expand(
      new Map(this.#listOf('path', values).map(([{ name }, value]) => [String(name), String(value)])),
    );
    const query = formatQuery(
      this.#listOf('query', values).map(([{ name, separator }, value]) => [
        String(name),
        separator !== undefined && Array.isArray(value) ? value.join(separator) : value,
      ]),
      this.isNested,
    );
    const body = this.#buildBody(values);
    const headers = Object.fromEntries(
      this.#listOf('header', values).map(([{ name }, value]) => [String(name), String(value)]),
    );
    return { url: query === '' ? path : `${path}?${query}`, headers, ...(body && { body }) };
  }

  #describe(): Record<string, unknown> {
    const required = this.given.filter(({ isRequired }) => isRequired).map(({ argument }) => argument);
    return {
      type: 'object',
      properties: Object.fromEntries(this.given.map(({ argument, schema }) => [argument, schema])),
      ...(required.length > 0 && { required }),
      additionalProperties: false,
      ...(Object.keys(this.definitions).length > 0 && { $defs: this.definitions }),
    };
  }

  #findIssues(values: JsonSchema): readonly StandardIssue[] {
    const unknown = Object.keys(values).filter((name) => !this.#known.has(name));
    const listed = this.given.length === 0 ? 'there are none' : `use ${quoteAll([...this.#known])}`;
    return [
      ...unknown.map((name) => ({ path: [name], message: `is not an argument: ${listed}` })),
      ...this.given.flatMap((argument) => this.#findIssue(argument, values)),
    ];
  }

  #findIssue(given: RouteArgument, values: JsonSchema): readonly StandardIssue[] {
    const { argument, location, name } = given;
    const value = readOwn(values, argument);
    const isMissing = value === undefined || value === null;
    if (location === 'path') {
      if (isMissing && !this.path.required.includes(String(name))) return [];
      return refuse(
        argument,
        isText(value) && value !== '',
        'must be a non-empty string, a number or a boolean',
      );
    }
    if (isMissing || location === 'body') return [];
    if (location === 'header')
      return refuse(argument, isHeader(String(name), value), 'must be a single-line string');
    return refuse(
      argument,
      isQueryValue(value, this.isNested),
      'must be a string, a number, a boolean or an array of these',
    );
  }

  /** Lists the arguments in one location that have a value. A request can only contain `null` in its body. */
  #listOf(location: Location, values: JsonSchema): readonly (readonly [RouteArgument, unknown])[] {
    return this.given
      .filter((argument) => argument.location === location)
      .map((argument) => [argument, readOwn(values, argument.argument)] as const)
      .filter(([, value]) => value !== undefined && (value !== null || location === 'body'));
  }

  #buildBody(values: JsonSchema): Buffer | undefined {
    if (!this.#hasBody) return undefined;
    const parts = this.#listOf('body', values);
    const whole = this.given.find(({ location, name }) => location === 'body' && name === undefined);
    if (whole === undefined)
      return encode(Object.fromEntries(parts.map(([{ name }, value]) => [name, value])));
    if (parts.length > 0) return encode(parts[0]?.[1]);
    // As for a body without any of its properties.
    return whole.schema['type'] === 'object' ? encode({}) : undefined;
  }
}

function encode(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value));
}

function readOwn(values: JsonSchema, name: string): unknown {
  return isObject(values) && Object.hasOwn(values, name) ? values[name] : undefined;
}

function refuse(argument: string, isFine: boolean, message: string): readonly StandardIssue[] {
  return isFine ? [] : [{ path: [argument], message }];
}

/** Paths and queries are UTF-8, which excludes lone surrogates. */
function isText(value: unknown): boolean {
  if (typeof value === 'string') return isWellFormed(value);
  return typeof value === 'number' || typeof value === 'boolean';
}

function isHeader(name: string, value: unknown): boolean {
  if (!isText(value)) return false;
  try {
    validateHeaderValue(name, String(value));
    return true;
  } catch {
    return false;
  }
}
