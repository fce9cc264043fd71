import type { LintProblem, LintRule } from '../lint-rule.js';
import type { ReadCatalog } from '../read-catalog.js';

/** Verbs in the names of tools that change something. */
const CHANGING = /^(?:delete|remove|erase|destroy|drop|purge|update|create|insert|write|send)(?![a-z])/;

/** The information that hosts have about a tool's effects and results. */
export const RESULT_RULES: readonly LintRule[] = [
  { id: 'output-schema', severity: 'advice', find: findUnstructured },
  { id: 'tool-annotations', severity: 'advice', find: findUnannotated },
  { id: 'contradicting-annotations', severity: 'warning', find: findContradictions },
  { id: 'tool-title', severity: 'advice', find: findUntitled },
  { id: 'resource-type', severity: 'advice', find: findUntypedResources },
];

function* findUnstructured({ tools }: ReadCatalog): Generator<LintProblem> {
  for (const { subject, listed } of tools) {
    if (listed['outputSchema'] !== undefined) continue;
    yield {
      subject,
      found: 'does not describe its result',
      fix: 'Give it an "outputSchema" if its results are structured: programs and apps use it to read them',
    };
  }
}

function* findUnannotated({ tools }: ReadCatalog): Generator<LintProblem> {
  for (const { subject, annotations } of tools) {
    const { readOnlyHint, destructiveHint } = annotations;
    if (readOnlyHint === true || (readOnlyHint === false && typeof destructiveHint === 'boolean')) continue;
    const missing = readOnlyHint === false ? 'destructiveHint' : 'readOnlyHint';
    yield {
      subject,
      found: `has no "${missing}": hosts assume the worst, and ask before each call`,
      fix: 'Declare in "annotations" whether it is read-only and, if not, whether it is destructive',
    };
  }
}

function* findContradictions({ tools }: ReadCatalog): Generator<LintProblem> {
  for (const { subject, name, annotations } of tools) {
    const { readOnlyHint, destructiveHint } = annotations;
    if (readOnlyHint !== true) continue;
    const verb = CHANGING.exec(name)?.[0];
    if (destructiveHint !== true && verb === undefined) continue;
    yield {
      subject,
      found:
        destructiveHint === true
          ? 'declares itself both read-only and destructive'
          : `declares itself read-only, but its name starts with "${verb}"`,
      fix: 'Remove "readOnlyHint": hosts may call read-only tools without asking',
    };
  }
}

function* findUntitled({ tools }: ReadCatalog): Generator<LintProblem> {
  for (const { subject, listed, annotations } of tools) {
    if (typeof (listed['title'] ?? annotations['title']) === 'string') continue;
    yield {
      subject,
      found: 'has no title',
      fix: 'Give it a "title": hosts show it when they ask for approval',
    };
  }
}

function* findUntypedResources({ resources, resourceTemplates }: ReadCatalog): Generator<LintProblem> {
  for (const { subject, listed } of [...resources, ...resourceTemplates]) {
    if (typeof listed['mimeType'] === 'string') continue;
    yield {
      subject,
      found: 'has no media type',
      fix: 'Give it a "mimeType": hosts use it to decide how to handle the content',
    };
  }
}
