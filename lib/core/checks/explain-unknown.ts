import { quoteAll } from '../words/quote-all.js';
import { rankNames } from './find-closest-name.js';
import { MOST_SUGGESTIONS, suggestOptions } from './suggest-option.js';

/** The known options, and how a message writes their names. */
interface KnownOptions {
  readonly known: readonly string[];
  /** The option that has the unknown name in another library. */
  readonly alias: string | undefined;
  readonly qualify: (name: string) => string;
}

/** A longer list of names does not help the reader. */
const MOST_LISTED = 16;

/** Explains that an option is unknown, and suggests the ones that may be meant. */
export function explainUnknown(name: string, { known, alias, qualify }: KnownOptions): string {
  const near = alias === undefined ? suggestOptions(name, known) : [alias];
  const hint = near.length === 0 ? '' : `(did you mean ${quoteAll(near.map(qualify), ' or ')}?) `;
  return `${hint}is not known${listKnown(name, known, near)}`;
}

function listKnown(name: string, known: readonly string[], near: readonly string[]): string {
  if (known.length <= MOST_LISTED) return `: use one of ${known.join(', ')}`;
  if (near.length > 0) return '';
  const similar = quoteAll(rankNames(name, known).slice(0, MOST_SUGGESTIONS));
  return `: the most similar ones are ${similar}; see all of them on the page "Configuration"`;
}
