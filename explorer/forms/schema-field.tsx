import { useId, useState } from 'preact/hooks';
import { JsonEditor } from './json-editor.js';
import { formatValue, selectField, type Choice, type Json, type JsonSchema } from './json-schema.js';

export interface FieldProps {
  readonly label: string;
  readonly schema: JsonSchema;
  readonly isRequired: boolean;
  readonly value: Json | undefined;
  readonly onChange: (value: Json | undefined) => void;
}

/** The field for one value, selected from its schema. The server validates the value. */
export function SchemaField(props: FieldProps) {
  const { schema, value, onChange } = props;
  const id = useId();
  const field = selectField(schema);
  switch (field.kind) {
    case 'object':
      return (
        <fieldset>
          <Legend {...props} />
          <Properties {...props} properties={field.properties} />
        </fieldset>
      );
    case 'list':
      return <ListField {...props} items={field.items} />;
    case 'choices':
      return <ChoicesField {...props} choices={field.choices} />;
    default:
      return (
        <div class="field">
          <label for={id}>
            <Name {...props} />
          </label>
          <Description id={`${id}-text`} schema={schema} />
          {field.kind === 'choice' && <ChoiceInput {...props} id={id} choices={field.choices} />}
          {field.kind === 'text' && <TextInput {...props} id={id} inputType={field.inputType} />}
          {field.kind === 'number' && <NumberInput {...props} id={id} />}
          {field.kind === 'json' && (
            <JsonEditor id={id} value={value} onChange={onChange} describedBy={`${id}-text`} />
          )}
        </div>
      );
  }
}

/** The fields for an object's properties. */
export function Properties({
  schema,
  value,
  onChange,
  properties,
}: FieldProps & { readonly properties: readonly (readonly [string, JsonSchema])[] }) {
  const members = typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
  return properties.map(([name, inner]) => (
    <SchemaField
      key={name}
      label={name}
      schema={inner}
      isRequired={schema.required?.includes(name) ?? false}
      value={(members as { readonly [name: string]: Json })[name]}
      onChange={(given) => {
        const { [name]: _, ...others } = members as { readonly [name: string]: Json };
        onChange(given === undefined ? others : { ...others, [name]: given });
      }}
    />
  ));
}

interface InputProps extends FieldProps {
  readonly id: string;
}

function TextInput({
  id,
  schema,
  value,
  onChange,
  inputType,
}: InputProps & { readonly inputType: 'text' | 'date' | 'email' | 'url' | 'password' }) {
  const text = value === undefined || value === null ? '' : formatValue(value);
  const change = (given: string) => onChange(given === '' ? undefined : given);
  const describedBy = schema.description === undefined ? undefined : `${id}-text`;
  // Replacing a field while the user types would lose the input.
  const [isLong] = useState(text.includes('\n') || text.length > 80);
  if (isLong) {
    return (
      <textarea
        id={id}
        rows={4}
        value={text}
        aria-describedby={describedBy}
        onInput={(event) => change(event.currentTarget.value)}
      />
    );
  }
  return (
    <input
      {...({ type: inputType } as { readonly type: 'text' })}
      id={id}
      value={text}
      autocomplete="off"
      aria-describedby={describedBy}
      onInput={(event) => change(event.currentTarget.value)}
    />
  );
}

/** Input that is not a number is sent unchanged, and the server reports the error. */
function NumberInput({ id, schema, value, onChange }: InputProps) {
  const change = (given: string) => {
    const number = Number(given);
    if (given.trim() === '') onChange(undefined);
    else onChange(String(number) === given.trim() ? number : given);
  };
  return (
    <input
      id={id}
      inputMode="decimal"
      value={value === undefined ? '' : formatValue(value)}
      autocomplete="off"
      aria-describedby={schema.description === undefined ? undefined : `${id}-text`}
      onInput={(event) => change(event.currentTarget.value)}
    />
  );
}

function ChoiceInput({
  id,
  schema,
  value,
  onChange,
  choices,
}: InputProps & { readonly choices: readonly Choice[] }) {
  const chosen = choices.findIndex((choice) => JSON.stringify(choice.value) === JSON.stringify(value));
  return (
    <select
      id={id}
      value={String(chosen)}
      aria-describedby={schema.description === undefined ? undefined : `${id}-text`}
      onChange={(event) => onChange(choices[Number(event.currentTarget.value)]?.value)}
    >
      <option value="-1">(omitted)</option>
      {choices.map(({ label }, index) => (
        <option key={label} value={String(index)}>
          {label}
        </option>
      ))}
    </select>
  );
}

function ChoicesField(props: FieldProps & { readonly choices: readonly Choice[] }) {
  const { value, onChange, choices } = props;
  const chosen = Array.isArray(value) ? (value as readonly Json[]) : [];
  const change = (choice: Json, isChosen: boolean) => {
    const next = isChosen ? [...chosen, choice] : chosen.filter((one) => one !== choice);
    onChange(next.length === 0 ? undefined : next);
  };
  return (
    <fieldset>
      <Legend {...props} />
      {choices.map((choice) => (
        <label key={choice.label} class="check">
          <input
            type="checkbox"
            checked={chosen.includes(choice.value)}
            onChange={(event) => change(choice.value, event.currentTarget.checked)}
          />
          {choice.label}
        </label>
      ))}
    </fieldset>
  );
}

function ListField(props: FieldProps & { readonly items: JsonSchema }) {
  const { label, value, onChange, items } = props;
  const list = Array.isArray(value) ? (value as readonly Json[]) : [];
  const put = (index: number, given: Json | undefined) =>
    onChange(list.map((one, place) => (place === index ? (given ?? null) : one)));
  return (
    <fieldset>
      <Legend {...props} />
      {list.map((one, index) => (
        <div class="item" key={`${index} of ${list.length}`}>
          <SchemaField
            label={`${label} ${index + 1}`}
            schema={items}
            isRequired={false}
            value={one ?? undefined}
            onChange={(given) => put(index, given)}
          />
          <button type="button" onClick={() => onChange(remove(list, index))}>
            Remove {label} {index + 1}
          </button>
        </div>
      ))}
      <button type="button" onClick={() => onChange([...list, null])}>
        Add to {label}
      </button>
    </fieldset>
  );
}

function remove(list: readonly Json[], index: number): readonly Json[] | undefined {
  const rest = list.filter((_, place) => place !== index);
  return rest.length === 0 ? undefined : rest;
}

function Legend(props: FieldProps) {
  return (
    <>
      <legend>
        <Name {...props} />
      </legend>
      <Description schema={props.schema} />
    </>
  );
}

function Name({ label, schema, isRequired }: FieldProps) {
  return (
    <>
      {schema.title ?? label}
      {isRequired && <span class="pale"> (required)</span>}
    </>
  );
}

function Description({ id, schema }: { readonly id?: string; readonly schema: JsonSchema }) {
  if (schema.description === undefined) return null;
  return (
    <p class="hint" id={id}>
      {schema.description}
    </p>
  );
}
