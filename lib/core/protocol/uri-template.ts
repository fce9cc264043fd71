import { expandTemplate, type TemplateValues } from './uri-template/expand-template.js';
import {
  buildMatchSteps,
  type MatchStep,
  matchSteps,
  type VariableValues,
} from './uri-template/match-template.js';
import { type ParsedTemplate, parseTemplate, parseUriCharacters } from './uri-template/parse-template.js';

export type { TemplateValues, VariableValues };
export { UriTemplateError } from './uri-template/parse-template.js';

/** The maximum length of a URI that can match, in UTF-16 code units. */
const MAXIMUM_URI_LENGTH = 8000;

/**
 * An RFC 6570 URI template (all four levels) that can also extract values from URIs.
 *
 * @example
 * const template = new UriTemplate('ticket://{id}{?fields*}');
 * template.expand({ id: 'A 7', fields: ['title', 'state'] }); // 'ticket://A%207?fields=title&fields=state'
 * template.match('ticket://A%207?fields=title'); // { id: 'A 7', fields: ['title'] }
 */
export class UriTemplate {
  /** The names of its variables in template order, each once. */
  readonly variables: readonly string[];

  readonly #parsed: ParsedTemplate;
  readonly #steps: readonly MatchStep[];

  /** @throws {UriTemplateError} if `template` does not follow RFC 6570 §2, or is longer than 1000 characters */
  constructor(readonly template: string) {
    this.#parsed = parseTemplate(template);
    this.#steps = buildMatchSteps(this.#parsed);
    const names = this.#parsed.parts.flatMap((part) => ('variables' in part ? part.variables : []));
    this.variables = [...new Set(names.map(({ name }) => name))];
  }

  /**
   * Expands the template with these values (RFC 6570 §3). A variable without a value is omitted.
   *
   * @throws {UriTemplateError} if a prefix modifier (`{name:3}`) is applied to a list or an associative array
   */
  expand(values: TemplateValues): string {
    return expandTemplate(this.#parsed, values);
  }

  /**
   * Extracts the values from a URI: a string for each variable, and a list for each exploded one (`{names*}`). The
   * values are decoded, so they may contain any character, even `/` and `..`.
   *
   * Variables in `{.…}`, `{/…}`, `{;…}`, `{?…}`, `{&…}` and `{#…}` may be absent. Variables in `{…}` and `{+…}` have
   * at least one character. Pairs in `{?…}`, `{&…}` and `{;…}` may have any order. A URI with a pair that the
   * template does not name does not match. For that reason, associative arrays cannot be extracted.
   *
   * @param uri the URI as a string, or parsed if you try several templates
   * @param foldsHost whether the host may differ in case from the template
   * @returns `undefined` if the URI does not match, is malformed, or is longer than 8000 characters
   */
  match(uri: string | ParsedUri, foldsHost = false): VariableValues | undefined {
    const characters = typeof uri === 'string' ? parseUri(uri) : uri;
    return characters && matchSteps(this.#steps, characters, foldsHost);
  }
}

/** A URI's characters, with needless encoding decoded. */
export type ParsedUri = readonly string[];

/**
 * Parses a URI for matching.
 *
 * @returns `undefined` if it is malformed, or longer than 8000 characters
 */
export function parseUri(uri: string): ParsedUri | undefined {
  return uri.length > MAXIMUM_URI_LENGTH ? undefined : parseUriCharacters(uri);
}
