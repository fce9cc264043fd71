import { defineRule } from './define-rule.js';

/** "That that" and "had had" may be meant, and one may log in in a browser. */
const REPEATED = /(?<!\blog )\b(?!that\b|had\b|code\b)(\p{L}+) \1\b/giu;

/** A word that is written twice. */
export const repeatedWords = defineRule(({ text }) =>
  [...text.matchAll(REPEATED)].map(({ 1: word, index }) => ({
    index,
    message: `"${word}" is written twice`,
  })),
);
