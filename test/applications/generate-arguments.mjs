import fc from 'fast-check';

const TEXT = fc.oneof(
  fc.string({ minLength: 1, maxLength: 12 }),
  fc.constantFrom('ä ö', 'a/b', 'a?b=c#d', '%2e', '1e2', ' 7', 'true', '<b>', '__proto__'),
);
const SCALAR = fc.oneof(
  TEXT,
  fc.integer(),
  fc.boolean(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);
const LIST = fc.array(SCALAR, { minLength: 1, maxLength: 3 });
const ANY = fc.oneof(
  SCALAR,
  LIST,
  fc.constant(null),
  fc.dictionary(fc.constantFrom('kind', 'x', '__proto__'), SCALAR),
);
const LINE = fc.string({ minLength: 1, maxLength: 8, unit: fc.constantFrom(...'abcXYZ019-_.!') });

const FORMATS = {
  uuid: fc.uuid(),
  email: fc.emailAddress(),
  'date-time': fc
    .date({ min: new Date('1990-01-01'), max: new Date('2030-01-01'), noInvalidDate: true })
    .map((date) => date.toISOString()),
};

/** Arguments of an operation: what its document allows, in which at times one of them is wrong, missing or with something that nobody knows. */
export function argumentsOf({ properties, required, parameters }) {
  const places = new Map(parameters.map((one) => [one.name, one.in]));
  const right = fc.record(
    mapValues(properties, (schema, name) => sendable(valueOf(schema), places.get(name))),
    {
      requiredKeys: required,
    },
  );
  const names = Object.keys(properties);
  if (names.length === 0) return right;
  const wrong = fc
    .constantFrom(...names)
    .chain((name) => fc.tuple(fc.constant(name), wrongOf(places.get(name))));
  return fc.oneof(
    { weight: 3, arbitrary: right },
    {
      weight: 1,
      arbitrary: fc.tuple(right, wrong).map(([given, [name, value]]) => replace(given, name, value)),
    },
  );
}

function replace(given, name, value) {
  const { [name]: _, ...others } = given;
  return value === undefined ? others : { ...others, [name]: value };
}

/** Something wrong that a request can have in this place, or nothing. */
function wrongOf(place) {
  if (place === 'path') return SCALAR;
  if (place === 'header') return fc.option(LINE, { nil: undefined });
  return fc.option(place === 'query' ? fc.oneof(SCALAR, LIST) : ANY, { nil: undefined });
}

/** An empty list cannot be told from none in a query. */
function sendable(values, place) {
  if (place === undefined) return values;
  return values.filter(
    (value) => value !== '' && value !== null && !(Array.isArray(value) && value.length === 0),
  );
}

/** Mostly the example where there is one, since texts that a validator accepts may be rare. */
function valueOf(schema) {
  const { example, nullable } = schema;
  return fc.oneof(
    { weight: 3, arbitrary: kindOf(schema) },
    ...(example === undefined ? [] : [{ weight: 12, arbitrary: fc.constant(example) }]),
    ...(nullable ? [{ weight: 1, arbitrary: fc.constant(null) }] : []),
  );
}

function kindOf(schema) {
  if (schema.oneOf) return fc.oneof(...schema.oneOf.map(valueOf));
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const { minimum = 0, maximum = 9, minLength = 1, maxLength = 12, minItems = 0, maxItems = 3 } = schema;
  switch (schema.type) {
    case 'integer':
      return fc.integer({ min: minimum, max: maximum });
    case 'number':
      return fc.oneof(
        { weight: 6, arbitrary: fc.integer({ min: minimum, max: maximum }) },
        { weight: 1, arbitrary: fc.double({ min: minimum, max: maximum, noNaN: true }) },
      );
    case 'boolean':
      return fc.boolean();
    case 'array':
      return fc.array(valueOf(schema.items ?? {}), { minLength: minItems, maxLength: maxItems });
    case 'object':
      return objectOf(schema);
    case 'string':
      return FORMATS[schema.format] ?? fc.oneof(fc.string({ minLength, maxLength }), TEXT);
    default:
      return ANY;
  }
}

function objectOf({ properties = {}, required = [], additionalProperties }) {
  const own = fc.record(mapValues(properties, valueOf), { requiredKeys: required });
  const others = typeof additionalProperties === 'object' ? valueOf(additionalProperties) : SCALAR;
  const more = fc.dictionary(fc.constantFrom('other', 'x'), others, { maxKeys: 2 });
  return fc
    .tuple(own, fc.option(more, { nil: {}, freq: 4 }))
    .map(([given, unknown]) => ({ ...unknown, ...given }));
}

function mapValues(object, change) {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value, name)]));
}
