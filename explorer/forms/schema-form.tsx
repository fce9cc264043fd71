import { useId, useState } from 'preact/hooks';
import { JsonEditor } from './json-editor.js';
import { selectField, type Json, type JsonSchema } from './json-schema.js';
import { Properties } from './schema-field.js';

export interface SchemaFormProps {
  /** The form's label. @default 'Arguments' */
  readonly what?: 'Arguments' | 'Answer';
  readonly schema: JsonSchema;
  readonly value: Json | undefined;
  readonly onChange: (value: Json | undefined) => void;
}

/** The form for an object with a schema, with fields or as JSON. */
export function SchemaForm({ what = 'Arguments', schema, value, onChange }: SchemaFormProps) {
  const [asJson, setAsJson] = useState(false);
  const id = useId();
  const field = selectField(schema);
  const isFields = field.kind === 'object';
  if (Object.keys(schema.properties ?? {}).length === 0 && field.kind === 'json' && isPlain(schema)) {
    return <p class="hint">{what === 'Answer' ? 'It requests no values.' : 'No arguments.'}</p>;
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
          Edit as JSON
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
          <label for={id}>{what} as JSON</label>
          <JsonEditor id={id} rows={8} value={value} onChange={onChange} />
        </div>
      )}
    </>
  );
}

/** Returns whether a schema only requires an object. */
function isPlain({ anyOf, oneOf, allOf, $ref, additionalProperties = false }: JsonSchema): boolean {
  return additionalProperties === false && (anyOf ?? oneOf ?? allOf ?? $ref) === undefined;
}
