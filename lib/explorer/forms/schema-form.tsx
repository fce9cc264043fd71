import { useId, useState } from 'preact/hooks';
import { JsonBox } from './json-box.js';
import { selectField, type Json, type JsonSchema } from './json-schema.js';
import { Properties } from './schema-field.js';

export interface SchemaFormProps {
  readonly schema: JsonSchema;
  readonly value: Json | undefined;
  readonly onChange: (value: Json | undefined) => void;
}

/** Asks for an object by its schema, in fields or as JSON. */
export function SchemaForm({ schema, value, onChange }: SchemaFormProps) {
  const [asJson, setAsJson] = useState(false);
  const id = useId();
  const field = selectField(schema);
  const isFields = field.kind === 'object';
  if (Object.keys(schema.properties ?? {}).length === 0 && field.kind === 'json' && isPlain(schema)) {
    return <p class="hint">It takes no arguments.</p>;
  }
  return (
    <>
      {isFields && (
        <label class="check">
          <input
            type="checkbox"
            checked={asJson}
            onChange={(event) => setAsJson(event.currentTarget.checked)}
          />
          Write the arguments as JSON
        </label>
      )}
      {isFields && !asJson ? (
        <Properties
          label=""
          schema={schema}
          isRequired
          value={value}
          onChange={onChange}
          properties={field.properties}
        />
      ) : (
        <div class="field">
          <label for={id}>Arguments</label>
          <JsonBox id={id} rows={8} value={value} onChange={onChange} />
        </div>
      )}
    </>
  );
}

/** Tells whether a schema says no more than that it is about an object. */
function isPlain({ anyOf, oneOf, allOf, $ref, additionalProperties = false }: JsonSchema): boolean {
  return additionalProperties === false && (anyOf ?? oneOf ?? allOf ?? $ref) === undefined;
}
