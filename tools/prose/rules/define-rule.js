/**
 * @typedef {object} Passage Text of a paragraph, a heading or a cell, without its markup.
 * @property {string} text
 * @property {'Paragraph' | 'Header' | 'TableCell'} kind
 *
 * @typedef {object} Fault
 * @property {number} index Where in the text it is.
 * @property {string} message
 */

const KINDS = ['Paragraph', 'Header', 'TableCell'];

/** Stands for code in a text, where it is one word. It is written large, since a sentence may begin with it. */
const CODE = 'Code';

/**
 * Makes a rule of textlint of a function that finds the faults of a passage.
 *
 * @param {(passage: Passage) => Fault[]} find
 */
export function defineRule(find) {
  return ({ report, RuleError, locator }) => {
    const visit = (node) => {
      const { text, places } = readText(node);
      for (const { index, message } of find({ text, kind: node.type })) {
        report(node, new RuleError(message, { padding: locator.at(places[index] ?? 0) }));
      }
    };
    return Object.fromEntries(KINDS.map((kind) => [kind, visit]));
  };
}

/** Splits a text into sentences, with where each begins. */
export function splitSentences(text) {
  const sentences = new Intl.Segmenter('en', { granularity: 'sentence' }).segment(text);
  return [...sentences].map(({ segment, index }) => ({ sentence: segment.trim(), index }));
}

/** Counts what is separated by spaces and has a letter or a digit. */
export function countWords(text) {
  return text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

/** Reads a node's text, and for each character the offset from the node's begin at which it is written. */
function readText(node) {
  const places = [];
  let text = '';
  const add = (part, start, isAsWritten) => {
    for (let index = 0; index < part.length; index += 1) places.push(isAsWritten ? start + index : start);
    text += part.replaceAll('\n', ' ');
  };
  const visit = ({ type, range, raw, value, alt, children }) => {
    const start = range[0] - node.range[0];
    if (type === 'Str') add(value, start, value.length === raw.length);
    else if (type === 'Code') add(CODE, start, false);
    else if (type === 'Image') add(alt ?? '', start, false);
    else if (type === 'Break') add(' ', start, false);
    else children?.forEach(visit);
  };
  node.children.forEach(visit);
  return { text, places };
}
