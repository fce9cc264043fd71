import { parseSync } from '@swc/core';

/** @typedef {{ text: string, line: number }} Line A line of prose, with its line in the file. */

/** What holds names of modules and types, not texts. */
const NO_TEXTS = new Set([
  'ImportDeclaration',
  'ExportNamedDeclaration',
  'ExportAllDeclaration',
  'TsLiteralType',
]);

/** What could be taken for a comment, and is none. */
const OPAQUE = new Set(['StringLiteral', 'TemplateElement', 'RegExpLiteral', 'JSXText']);

const FEWEST_WORDS = 3;
const COMMENT = /\/\/[^\n]*(?:\n[ \t]*\/\/[^\n]*)*|\/\*[\s\S]*?\*\//g;
const FOR_TOOLS = /^(?:oxlint|eslint|prettier|@ts-|#__)/;

/** Tags of docstrings whose text is prose, with what stands before it. */
const TAG = /^@(?:param (?:\{.*?\} )?\S+|throws \{.*?\}|returns|see|deprecated|remarks) ?(?:- )?/;
const TAG_WITHOUT_PROSE = /^@(?:default|example|typedef|property|type)\b/;

/**
 * Turns a source into Markdown: its docstrings, comments and texts for people, each a paragraph.
 *
 * @param {string} source
 * @param {boolean} isTsx
 * @returns {Line[]}
 */
export function readSourceProse(source, isTsx) {
  const syntax = { syntax: 'typescript', decorators: true, tsx: isTsx, target: 'es2022' };
  const bytes = Buffer.from(source);
  const { body, span } = parseSync(source, syntax);
  const origin = Math.min(span.start, 1);
  const found = { opaque: [], texts: [] };
  visit(body, found);
  const lineOf = countLines(bytes);
  const comments = readComments(blankOut(bytes, found.opaque, origin));
  return [
    ...comments.flatMap((comment) => [...readComment(bytes, comment, lineOf), blank()]),
    ...found.texts.flatMap(({ text, start }) => [{ text, line: lineOf(start - origin) }, blank()]),
  ];
}

const blank = () => ({ text: '', line: 0 });

function visit(value, found) {
  if (Array.isArray(value)) return value.forEach((one) => visit(one, found));
  if (typeof value !== 'object' || value === null) return;
  if (OPAQUE.has(value.type)) found.opaque.push(value.span);
  const text = readText(value);
  if (text !== undefined && isForPeople(text))
    found.texts.push({ text: text.trim(), start: value.span.start });
  const hasNoTexts = NO_TEXTS.has(value.type);
  const inner = hasNoTexts ? { opaque: found.opaque, texts: [] } : found;
  for (const [key, child] of Object.entries(value)) if (key !== 'span') visit(child, inner);
}

function readText(node) {
  if (node.type === 'StringLiteral') return node.value;
  if (node.type === 'JSXText') return node.value.replace(/\s+/g, ' ');
  if (node.type === 'TemplateLiteral' && node.quasis !== undefined)
    return node.quasis.map(({ cooked }) => cooked ?? '').join('…');
  return undefined;
}

/** A text of several lines is a program or a document, and no sentence. */
function isForPeople(text) {
  return !text.trim().includes('\n') && text.trim().split(/\s+/).length >= FEWEST_WORDS;
}

/** Spans of the parser count bytes. */
function blankOut(bytes, spans, origin) {
  const blanked = Buffer.from(bytes);
  for (const { start, end } of spans) blanked.fill(' ', start - origin, end - origin);
  return blanked;
}

function readComments(blanked) {
  return [...blanked.toString('latin1').matchAll(COMMENT)].map(({ 0: text, index }) => ({
    start: index,
    end: index + text.length,
  }));
}

function countLines(bytes) {
  const starts = [0];
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) starts.push(at + 1);
  return (offset) => starts.findLastIndex((start) => start <= offset) + 1;
}

/** Reads the prose of a comment: no frame, no examples, no names of parameters. */
function readComment(bytes, { start, end }, lineOf) {
  const first = lineOf(start);
  const lines = [];
  let isProse = true;
  for (const [index, written] of bytes.toString('utf8', start, end).split('\n').entries()) {
    const text = written.replace(/^\s*(?:\/\*\*?|\*(?!\/)|\/\/)? ?/, '').replace(/\s*\*\/$/, '');
    const line = first + index;
    if (text.startsWith('@')) {
      isProse = !TAG_WITHOUT_PROSE.test(text);
      if (isProse) lines.push(blank());
    }
    if (isProse && !FOR_TOOLS.test(text)) lines.push({ text: readProse(text), line });
  }
  return lines;
}

/** Leaves a tag, a default and the mark of a link out. */
function readProse(text) {
  return text
    .replace(TAG, '')
    .replace(/ @default .*/, '')
    .replace(/\{@link (\S+?)\}/g, '`$1`');
}
