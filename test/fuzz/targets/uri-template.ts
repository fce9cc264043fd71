import { UriTemplate, UriTemplateError } from '../../../lib/core/protocol/uri-template.js';
import { assertHolds, assertSame, parseWith, readFields } from '../contract.js';

/** As applications write them: their URIs can be written again from what was read. */
const TEMPLATES = [
  'ticket://{id}',
  'desk://{area}/{id}{?fields*}',
  'log://{host}{/path*}',
  'x:{a:3}-{b}',
  'mail:{user}.{domain}',
  'list:{ids*}',
  'q:{?a,b}{&c}',
  'm:{;x,y*}',
].map((text) => new UriTemplate(text));

/** Matches a URI against known templates, and against one that stands behind the first zero. */
export function fuzz(bytes: Buffer): void {
  const [uri = '', text] = readFields(bytes);
  for (const template of TEMPLATES) assertRoundTrip(template, uri);
  if (text === undefined) return;
  const parsed = parseWith(() => new UriTemplate(text), UriTemplateError);
  if ('error' in parsed) return;
  const values = parsed.value.match(uri);
  assertNames(parsed.value, values);
  parseWith(() => parsed.value.expand(values ?? { a: uri }), UriTemplateError);
}

function assertRoundTrip(template: UriTemplate, uri: string): void {
  const values = template.match(uri);
  assertNames(template, values);
  if (values === undefined) return;
  const expanded = template.expand(values);
  assertSame(
    sortMembers(template.match(expanded)),
    sortMembers(values),
    `what is read of ${template.template} can be written and read again`,
  );
}

/** Members of a query come in any order. */
function sortMembers(values: object | undefined): unknown {
  return values && Object.entries(values).toSorted(([one], [other]) => (one < other ? -1 : 1));
}

function assertNames({ variables }: UriTemplate, values: object | undefined): void {
  for (const [name, value] of Object.entries(values ?? {})) {
    assertHolds(variables.includes(name), 'a value is of a variable');
    assertHolds(
      [value].flat().every((one) => typeof one === 'string'),
      'a value is a text or a list of texts',
    );
  }
}
