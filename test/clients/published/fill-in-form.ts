/** A property of a form (MCP client/elicitation, "Requested Schema"). */
interface FormProperty {
  readonly type?: string;
  readonly format?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly oneOf?: readonly { readonly const: unknown }[];
  readonly anyOf?: readonly { readonly const: unknown }[];
  readonly items?: FormProperty;
  readonly minimum?: number;
  readonly maxLength?: number;
}

const FORMATS: { readonly [format: string]: string } = {
  email: 'ada@example.com',
  uri: 'https://example.com/ada',
  date: '2026-01-02',
  'date-time': '2026-01-02T03:04:05Z',
};

/** Fills in each field of a form: with its default, the first of its values, or else something that is valid. */
export function fillInForm({
  properties,
}: {
  readonly properties: { readonly [name: string]: FormProperty };
}) {
  return Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, fillIn(property)]));
}

function fillIn(property: FormProperty): unknown {
  const values = property.enum ?? (property.oneOf ?? property.anyOf)?.map((one) => one.const);
  if (property.default !== undefined) return property.default;
  if (values !== undefined) return values[0];
  switch (property.type) {
    case 'boolean':
      return true;
    case 'integer':
    case 'number':
      return property.minimum ?? 1;
    case 'array':
      return [fillIn(property.items ?? {})];
    default:
      return FORMATS[property.format ?? ''] ?? 'Ada Lovelace'.slice(0, property.maxLength);
  }
}
