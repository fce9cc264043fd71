import { extname } from 'node:path';
import kernel from '@textlint/kernel';
import markdown from '@textlint/textlint-plugin-markdown';
import { RULES } from './rules/index.js';
import { readSourceProse } from './source-prose.js';

/**
 * @typedef {object} Finding
 * @property {string} rule
 * @property {number} line
 * @property {string} message
 */

const linter = new kernel.TextlintKernel();
const OPTIONS = {
  ext: '.md',
  plugins: [{ pluginId: 'markdown', plugin: markdown.default ?? markdown }],
  rules: Object.entries(RULES).map(([ruleId, rule]) => ({ ruleId, rule })),
};
const BLOCK = /^```(tsx?)\b[^\n]*\n([\s\S]*?)^```$/gm;

/**
 * Finds what is wrong with the prose of a file: a page, or the comments and texts of a source.
 *
 * @param {string} path
 * @param {string} content
 * @returns {Promise<Finding[]>}
 */
export async function lintProse(path, content) {
  if (extname(path) !== '.md') return lintSource(content, extname(path) === '.tsx');
  const ofBlocks = [...content.matchAll(BLOCK)].map(async ({ 0: block, 1: language, 2: source, index }) => {
    const line = content.slice(0, index + block.indexOf('\n') + 1).split('\n').length - 1;
    const findings = await lintSource(source, language === 'tsx');
    return findings.map((finding) => ({ ...finding, line: finding.line + line }));
  });
  return [...(await lintMarkdown(content)), ...(await Promise.all(ofBlocks)).flat()];
}

async function lintSource(source, isTsx) {
  const lines = readSourceProse(source, isTsx);
  const findings = await lintMarkdown(lines.map(({ text }) => text).join('\n'));
  return findings.map((finding) => ({ ...finding, line: lines[finding.line - 1]?.line ?? 1 }));
}

async function lintMarkdown(text) {
  const { messages } = await linter.lintText(text, OPTIONS);
  return messages.map(({ ruleId, line, message }) => ({ rule: ruleId, line, message }));
}
