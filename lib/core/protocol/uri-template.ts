import { expandTemplate, type TemplateValues } from './uri-template/expand-template.js';
import { buildMatchSteps, matchSteps, type MatchStep } from './uri-template/match-template.js';
import { parseTemplate, type ParsedTemplate } from './uri-template/parse-template.js';
import type { VariableValues } from './uri-template/read-variables.js';
import { parseUriCharacters } from './uri-template/uri-characters.js';

export type { TemplateValues, VariableValues };
export { UriTemplateError } from './uri-template/uri-template.error.js';

/** Longer URIs match nothing; in UTF-16 code units. */
const MAXIMUM_URI_LENGTH = 8000;

/**
 * A URI template of RFC 6570, all four levels, that also reads URIs back into values.
 *
 * @example
 * const template = new UriTemplate('ticket://{id}{?fields*}');
 * template.expand({ id: 'A 7', fields: ['title', 'state'] }); // 'ticket://A%207?fields=title&fields=state'
 * template.match('ticket://A%207?fields=title'); // { id: 'A 7', fields: ['title'] }
 */
export class UriTemplate {
  /** The names of its variables in the order of the template, each once. */
  readonly variables: readonly string[];

  readonly #parsed: ParsedTemplate;
  readonly #steps: readonly MatchStep[];

  /** @throws {UriTemplateError} when `template` does not follow RFC 6570 §2, or is longer than 1000 characters */
  constructor(readonly template: string) {
    this.#parsed = parseTemplate(template);
    this.#steps = buildMatchSteps(this.#parsed);
    const names = this.#parsed.parts.flatMap((part) => ('variables' in part ? part.variables : []));
    this.variables = [...new Set(names.map(({ name }) => name))];
  }

  /**
   * Writes the URI that values make (RFC 6570 §3); a variable without a value is left out.
   *
   * @throws {UriTemplateError} when a prefix modifier (`{name:3}`) meets a list or an associative array
   */
  expand(values: TemplateValues): string {
    return expandTemplate(this.#parsed, values);
  }

  /**
   * Reads the values out of a URI: a text for each variable, a list for each exploded one (`{names*}`). They are
   * decoded, so they may hold any character, `/` and `..` among them.
   *
   * Variables of `{.…}`, `{/…}`, `{;…}`, `{?…}`, `{&…}` and `{#…}` may be absent, those of `{…}` and `{+…}` have at
   * least one character. The members of `{?…}`, `{&…}` and `{;…}` come in any order; one that the template does not
   * name matches nothing. Associative arrays do not come back: their members are such names.
   *
   * @param uri as text, or parsed already if several templates are tried
   * @returns nothing if the URI does not match, is malformed, or is longer than 8000 characters
   */
  match(uri: string | ParsedUri): VariableValues | undefined {
    const characters = typeof uri === 'string' ? parseUri(uri) : uri;
    return characters && matchSteps(this.#steps, characters);
  }
}

/** The characters of a URI, with what it need not have encoded decoded. */
export type ParsedUri = readonly string[];

/**
 * Parses a URI that templates are matched with.
 *
 * @returns nothing if it is malformed, or longer than 8000 characters
 */
export function parseUri(uri: string): ParsedUri | undefined {
  return uri.length > MAXIMUM_URI_LENGTH ? undefined : parseUriCharacters(uri);
}
