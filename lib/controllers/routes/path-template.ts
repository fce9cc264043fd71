/** A part of a path: fixed characters, a parameter, or an optional group of parts. */
type Part =
  | { readonly text: string }
  | { readonly parameter: string; readonly isWildcard: boolean }
  | { readonly group: readonly Part[] };

/** Parameter values, keyed by name. */
export type PathValues = ReadonlyMap<string, string>;

/** Characters that had a meaning in older routers. */
const UNSUPPORTED = /[()?+[\]!]/;

/**
 * A route path with parameters in the syntax of Nest 11 and later: `/cats/:id`, `/files/*path`, `/cats{/:page}`.
 *
 * @see https://github.com/pillarjs/path-to-regexp
 */
export class PathTemplate {
  readonly #parts: readonly Part[];
  /** The parameters that every request must have. */
  readonly required: readonly string[];
  /** All parameters, in order of appearance. */
  readonly names: readonly string[];

  /** @throws {SyntaxError} if the path contains syntax that values cannot fill, such as a regular expression */
  constructor(readonly source: string) {
    this.#parts = new PathParser(source).parse();
    this.required = listNames(this.#parts.filter((part) => !('group' in part)));
    this.names = listNames(this.#parts);
  }

  /** Fills in the values, encoded so that none can leave its segment. Groups without values are omitted. */
  expand(values: PathValues): string {
    return fillParts(this.#parts, values);
  }
}

function listNames(parts: readonly Part[]): readonly string[] {
  return parts.flatMap((part) => {
    if ('group' in part) return listNames(part.group);
    return 'parameter' in part ? [part.parameter] : [];
  });
}

function fillParts(parts: readonly Part[], values: PathValues): string {
  return parts
    .map((part) => {
      if ('text' in part) return part.text;
      if ('group' in part) {
        const names = listNames(part.group);
        return names.some((name) => values.has(name)) ? fillParts(part.group, values) : '';
      }
      const value = values.get(part.parameter) ?? '';
      return part.isWildcard ? value.split('/').map(encodeSegment).join('/') : encodeSegment(value);
    })
    .join('');
}

/** A segment of only dots would be resolved by anything that normalizes paths. */
function encodeSegment(value: string): string {
  return /^\.{1,2}$/.test(value) ? '%2E'.repeat(value.length) : encodeURIComponent(value);
}

class PathParser {
  #at = 0;

  constructor(private readonly source: string) {}

  parse(): readonly Part[] {
    const parts = this.#parseParts();
    if (this.#at < this.source.length) throw new SyntaxError(`"${this.source}" has a "}" without a "{"`);
    return parts;
  }

  #parseParts(): readonly Part[] {
    const parts: Part[] = [];
    while (this.#at < this.source.length && this.#next !== '}') parts.push(this.#parsePart());
    return parts;
  }

  get #next(): string {
    return this.source.charAt(this.#at);
  }

  #parsePart(): Part {
    const first = this.#next;
    if (first === ':' || first === '*') return this.#parseParameter(first === '*');
    if (first === '{') return this.#parseGroup();
    if (UNSUPPORTED.test(first))
      throw new SyntaxError(`"${this.source}" contains "${first}", which a tool cannot fill in`);
    if (first === '\\') this.#at += 1;
    const text = this.#next;
    this.#at += 1;
    return { text };
  }

  #parseParameter(isWildcard: boolean): Part {
    this.#at += 1;
    const [name] = /^[\p{ID_Start}$_][\p{ID_Continue}$]*/u.exec(this.source.slice(this.#at)) ?? [];
    if (name === undefined) throw new SyntaxError(`"${this.source}" has a parameter without a name`);
    this.#at += name.length;
    return { parameter: name, isWildcard };
  }

  #parseGroup(): Part {
    this.#at += 1;
    const group = this.#parseParts();
    if (this.#next !== '}') throw new SyntaxError(`"${this.source}" has a "{" without a "}"`);
    this.#at += 1;
    return { group };
  }
}
