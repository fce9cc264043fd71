import { explainError } from '../../core/log/describe-failure.js';
import type { SchemaDirection } from './compiled-schema.interface.js';
import { describeValue, shorten } from './validation-issues.js';

/** Thrown if a schema cannot be used. This happens when a handler is registered, never when it is called. */
export class SchemaError extends Error {
  override readonly name = 'SchemaError';

  private constructor(direction: SchemaDirection, problem: string, options?: ErrorOptions) {
    super(`The ${direction} schema ${problem}`, options);
  }

  static notASchema(direction: SchemaDirection, source: unknown): SchemaError {
    return new SchemaError(
      direction,
      `is ${describeValue(source)}, expected a Standard Schema, a JSON Schema object or a class-validator DTO class`,
    );
  }

  static ofForeignLibrary(
    direction: SchemaDirection,
    { library, fix, pointer = '/' }: { library: string; fix: string; pointer?: string },
  ): SchemaError {
    const location = pointer === '/' ? '' : ` at "${pointer}"`;
    return new SchemaError(
      direction,
      `contains a schema from "${library}"${location} that does not follow Standard Schema: ${fix}`,
    );
  }

  static notJson(direction: SchemaDirection, pointer: string, member: unknown): SchemaError {
    return new SchemaError(
      direction,
      `contains ${describeValue(member)} at "${pointer}", which JSON cannot represent: use only plain JSON values`,
    );
  }

  static schemaAsKeyword(direction: SchemaDirection, pointer: string): SchemaError {
    return new SchemaError(
      direction,
      `is a plain object with a library's schema at "${pointer}": put the properties into that library's object schema, such as z.object({ … })`,
    );
  }

  static tooLarge(direction: SchemaDirection, limit: string): SchemaError {
    return new SchemaError(direction, `has ${limit}: make it smaller, or use "$ref" for repeated parts`);
  }

  static unsafeName(direction: SchemaDirection, pointer: string): SchemaError {
    return new SchemaError(direction, `uses the name "__proto__" at "${pointer}": choose a different name`);
  }

  static notAnObject(direction: SchemaDirection, type: unknown): SchemaError {
    const found = type === undefined ? 'no "type"' : `"type": ${shorten(JSON.stringify(type))}`;
    return new SchemaError(
      direction,
      `has ${found} at its root, but the protocol requires "type": "object": describe an object whose properties are the arguments`,
    );
  }

  static referenceAtRoot(direction: SchemaDirection, reference: unknown): SchemaError {
    return new SchemaError(
      direction,
      `has no "type" at its root, but the protocol requires "type": "object": add it next to "$ref": ${shorten(JSON.stringify(reference))}, or pass the definition itself, as zodToJsonSchema() does without a name`,
    );
  }

  static noCodeGeneration(direction: SchemaDirection, cause: EvalError): SchemaError {
    return new SchemaError(
      direction,
      'is JSON Schema, which is compiled to code, but this process does not allow code generation from strings: use a Standard Schema, such as z.object({ … }), or start Node without "--disallow-code-generation-from-strings"',
      { cause },
    );
  }

  static tupleInItems(direction: SchemaDirection): SchemaError {
    return new SchemaError(
      direction,
      'is not valid JSON Schema: it has an array in "items", the form that tuples take in draft-07 and TypeBox: use "prefixItems" instead, or declare the dialect with "$schema": "http://json-schema.org/draft-07/schema#"',
    );
  }

  static unknownDialect(direction: SchemaDirection, dialect: unknown): SchemaError {
    return new SchemaError(
      direction,
      `declares the dialect ${shorten(JSON.stringify(dialect))} in "$schema": use "https://json-schema.org/draft/2020-12/schema" or "http://json-schema.org/draft-07/schema#"${isOf2019(dialect) ? FIX_OF_2019 : ''}`,
    );
  }

  static unresolvedReference(direction: SchemaDirection, reference: string): SchemaError {
    return new SchemaError(
      direction,
      `refers to "${shorten(reference)}", which it does not contain: define it under "$defs", because references are never fetched`,
    );
  }

  static asynchronous(direction: SchemaDirection): SchemaError {
    return new SchemaError(direction, 'has the keyword "$async", which is not JSON Schema: remove it');
  }

  static invalid(direction: SchemaDirection, cause: unknown): SchemaError {
    return new SchemaError(direction, `is not valid JSON Schema: ${messageOf(cause)}`, { cause });
  }

  static noJsonSchemaSide(direction: SchemaDirection, vendor: string, fix: string): SchemaError {
    return new SchemaError(direction, `from "${vendor}" has no "~standard.jsonSchema": ${fix}`);
  }

  static noValidation(direction: SchemaDirection, vendor: string): SchemaError {
    return new SchemaError(
      direction,
      `from "${vendor}" has no version 1 "~standard.validate": use a schema that follows Standard Schema 1`,
    );
  }

  static notRepresentable(direction: SchemaDirection, vendor: string, cause: unknown): SchemaError {
    return new SchemaError(
      direction,
      `from "${vendor}" cannot be represented as JSON Schema: ${messageOf(cause)}; use types that JSON supports`,
      { cause },
    );
  }

  static notShown(
    direction: SchemaDirection,
    vendor: string,
    { path, problem, fix }: { readonly path: string; readonly problem: string; readonly fix: string },
  ): SchemaError {
    const location = path === '' ? 'at its root' : `at "${path}"`;
    return new SchemaError(
      direction,
      `from "${vendor}" cannot be represented as JSON Schema ${location}: ${shorten(problem, LONGEST_CAUSE).replace(/\.$/, '')}; ${fix}`,
    );
  }

  static missingPackages(direction: SchemaDirection, className: string): SchemaError {
    return new SchemaError(
      direction,
      `is the DTO class "${className}", which needs two packages: run "npm install class-validator class-transformer"`,
    );
  }

  static undecoratedClass(direction: SchemaDirection, className: string): SchemaError {
    return new SchemaError(
      direction,
      `is the class "${className}", which has no class-validator decorators: decorate its properties`,
    );
  }

  static untypedNesting(direction: SchemaDirection, className: string, property: string): SchemaError {
    return new SchemaError(
      direction,
      `is the DTO class "${className}", whose property "${property}" has @ValidateNested() without a type: add @Type(() => …) from class-transformer`,
    );
  }

  static notConstructible(direction: SchemaDirection, className: string, cause: unknown): SchemaError {
    return new SchemaError(
      direction,
      `is the DTO class "${className}", which cannot be instantiated with "new ${className}()": ${messageOf(cause)}`,
      { cause },
    );
  }
}

const LONGEST_CAUSE = 500;

const FIX_OF_2019 =
  '. A draft 2019-09 schema keeps its meaning in draft 2020-12 if arrays in "items" become "prefixItems", "additionalItems" becomes "items", and "$recursiveRef" becomes "$dynamicRef"';

function isOf2019(dialect: unknown): boolean {
  return typeof dialect === 'string' && dialect.includes('/2019-09/');
}

function messageOf(cause: unknown): string {
  const message = explainError(cause);
  return shorten(message, LONGEST_CAUSE).replace(/\.$/, '');
}
