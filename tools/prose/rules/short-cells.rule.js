import { countWords, defineRule, splitSentences } from './define-rule.js';

const MOST_WORDS = 30;
const MOST_SENTENCES = 2;

/** Tables hold short facts: what needs a paragraph stands below the table. */
export const shortCells = defineRule(({ text, kind }) => {
  if (kind !== 'TableCell') return [];
  const words = countWords(text);
  const sentences = splitSentences(text).length;
  if (words <= MOST_WORDS && sentences <= MOST_SENTENCES) return [];
  return [
    {
      index: 0,
      message: `Shorten this cell, or say it below the table: ${words} words in ${sentences} sentences`,
    },
  ];
});
