import { countWords, defineRule, splitSentences } from './define-rule.js';

const MOST_WORDS = 35;

/** A longer sentence is rarely read in one go. */
export const sentenceLength = defineRule(({ text }) =>
  splitSentences(text)
    .map(({ sentence, index }) => ({ words: countWords(sentence), index }))
    .filter(({ words }) => words > MOST_WORDS)
    .map(({ words, index }) => ({
      index,
      message: `Split this sentence: it has ${words} words, of ${MOST_WORDS}`,
    })),
);
