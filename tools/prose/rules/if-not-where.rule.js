import { defineRule, splitSentences } from './define-rule.js';

/** A condition before its consequence: "Where a proxy is trusted, …". What names a place goes on otherwise: "Where a page is, and how …". */
const AT_BEGIN =
  /^["(]?Where [^,:?]*, (?!(?:and|as|at|by|for|if|in|of|or|such|to|unless|whatever|which|who|whose|with)\b)/;

/** A condition behind its consequence. A place has an article or a name before it: "the folder where it is". */
const BEHIND = /\b(?:only|even|except|but|unless|just) where\b/gi;

/** "Where" is for places, "if" for conditions. */
export const ifNotWhere = defineRule(({ text }) => {
  const message = 'Write "if" instead of "where": this is a condition';
  const atBegin = splitSentences(text).filter(
    ({ sentence }) => AT_BEGIN.test(sentence) && !sentence.endsWith('?'),
  );
  const behind = [...text.matchAll(BEHIND)];
  return [...atBegin, ...behind].map(({ index }) => ({ index, message }));
});
