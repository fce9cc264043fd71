/**
 * Lists the clauses of `test/clauses.md` with the tests that carry their ids, and fails where a clause has none, or where
 * one that is marked as planned has a test already.
 *
 * `npm run clauses` counts the tests that are written; `npm run clauses -- results.json …`, with what jest wrote by
 * `--json --outputFile`, counts those that passed.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const CLAUSE = /^- ([A-Z]+-\d+) (\(planned\) )?(.*)$/gm;
const ID = /\b[A-Z]+-\d{2}\b/g;
const WIDTH = 100;

function readClauses() {
  const text = readFileSync(join(ROOT, 'test/clauses.md'), 'utf8');
  return [...text.matchAll(CLAUSE)].map(([, id, mark, promise]) => ({
    id,
    promise,
    isPlanned: mark !== undefined,
  }));
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

function listIds(clauses) {
  return clauses.map(({ id }) => id).join(', ');
}

const results = process.argv.slice(2);
const counts = countById(results.length === 0 ? readWrittenTitles() : results.flatMap(readPassedTitles));
const clauses = readClauses();
for (const { id, promise, isPlanned } of clauses) {
  const count = isPlanned ? 'planned' : String(counts.get(id) ?? 0);
  console.log(`${id.padEnd(9)} ${count.padStart(7)}  ${shorten(promise, WIDTH)}`);
}

const kept = clauses.filter(({ isPlanned }) => !isPlanned);
const planned = clauses.filter(({ isPlanned }) => isPlanned);
const gaps = kept.filter(({ id }) => !counts.has(id));
const early = planned.filter(({ id }) => counts.has(id));
const kind = results.length === 0 ? 'is written' : 'passes';
console.log(`\n${kept.length} clauses, ${kept.length - gaps.length} with a test that ${kind}`);
console.log(`${planned.length} clauses planned, ${early.length} with a test that ${kind}`);
if (gaps.length > 0) console.log(`Without one: ${listIds(gaps)}`);
if (early.length > 0) console.log(`No longer planned, so that "(planned)" has to go: ${listIds(early)}`);
process.exitCode = gaps.length === 0 && early.length === 0 ? 0 : 1;
