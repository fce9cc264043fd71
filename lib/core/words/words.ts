/** Longer words are cut, because searches do not need the rest. */
const LONGEST_WORD = 64;

let segmenter: Intl.Segmenter | undefined;

/**
 * Splits a string into words for searching. Words are lowercased, names are split into parts, and Latin letters lose
 * their accents.
 *
 * @example
 * splitWords('closeTicket: schließt ein Ticket, Café'); // ['close', 'ticket', 'schließt', 'ein', 'ticket', 'cafe']
 */
export function splitWords(text: string): string[] {
  return findRuns(text.normalize('NFKD'))
    .flatMap((run) => splitName(stripAccents(run).normalize('NFC')))
    .flatMap(fold);
}

// Unicode property expressions compile slowly and are needed only for searches, so none is compiled at startup.

/** Finds runs of letters and digits, with the marks that belong to letters. */
function findRuns(text: string): string[] {
  return text.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
}

function stripAccents(run: string): string {
  return run.replace(/(?<=\p{Script=Latin})\p{M}+/gu, '');
}

/** Splits a name such as `closeTicket` or `HTTPServer2` at word boundaries. */
function splitName(run: string): string[] {
  return run.split(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u);
}

function fold(word: string): string[] {
  const folded = word.toLowerCase();
  return (isUnspaced(folded) ? segment(folded) : [folded]).map((part) => part.slice(0, LONGEST_WORD));
}

/** Whether a word is in a script that does not separate words with spaces. */
function isUnspaced(word: string): boolean {
  return /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u.test(
    word,
  );
}

function segment(text: string): string[] {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'word' });
  return [...segmenter.segment(text)].map(({ segment: part }) => part);
}

/**
 * Quotes names for a message.
 *
 * @param between the separator
 */
export function quoteAll(names: Iterable<string>, between: ', ' | ' or ' = ', '): string {
  return [...names].map((name) => `"${name}"`).join(between);
}

/** Returns whether a value fits in a header as one word: visible ASCII, with at least one character. */
export function isHeaderWord(value: unknown): value is string {
  return typeof value === 'string' && /^[\x21-\x7e]+$/.test(value);
}
