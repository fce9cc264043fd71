/**
 * Lists the clauses of `test/clauses.md` with the tests that carry their ids, and fails where a clause has none.
 *
 * `npm run clauses` counts the tests that are written; `npm run clauses -- results.json …`, with what jest wrote by
 * `--json --outputFile`, counts those that passed.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const CLAUSE = /^- ([A-Z]+-\d+) (.*)$/gm;
const ID = /\b[A-Z]+-\d{2}\b/g;
const WIDTH = 100;

function readClauses() {
  const text = readFileSync(join(ROOT, 'test/clauses.md'), 'utf8');
  return [...text.matchAll(CLAUSE)].map(([, id, promise]) => ({ id, promise }));
}

/** Titles of tests as they are written: a title of `it.each` counts once. */
function readWrittenTitles() {
  return readdirSync(join(ROOT, 'test'), { recursive: true })
    .filter((file) => file.endsWith('.spec.ts') && !file.includes('node_modules'))
    .flatMap((file) => readFileSync(join(ROOT, 'test', file), 'utf8').split('\n'));
}

function readPassedTitles(file) {
  const { testResults } = JSON.parse(readFileSync(file, 'utf8'));
  return testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === 'passed')
    .map(({ fullName }) => fullName);
}

function countById(titles) {
  const counts = new Map();
  for (const title of titles) {
    for (const id of new Set(title.match(ID))) counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return counts;
}

function shorten(text, width) {
  return text.length <= width ? text : `${text.slice(0, width - 1)}…`;
}

const results = process.argv.slice(2);
const counts = countById(results.length === 0 ? readWrittenTitles() : results.flatMap(readPassedTitles));
const clauses = readClauses();
for (const { id, promise } of clauses) {
  const count = String(counts.get(id) ?? 0).padStart(5);
  console.log(`${id.padEnd(9)} ${count}  ${shorten(promise, WIDTH)}`);
}
const gaps = clauses.filter(({ id }) => !counts.has(id)).map(({ id }) => id);
const kind = results.length === 0 ? 'is written' : 'passes';
console.log(`\n${clauses.length} clauses, ${clauses.length - gaps.length} with a test that ${kind}`);
if (gaps.length > 0) console.log(`Without one: ${gaps.join(', ')}`);
process.exitCode = gaps.length === 0 ? 0 : 1;
