import type { LintFault, LintRule } from '../lint-rule.interface.js';
import type { ReadCatalog } from '../read-catalog.js';

/** Verbs of names that change what is there. */
const CHANGING = /^(?:delete|remove|erase|destroy|drop|purge|update|create|insert|write|send)(?![a-z])/;

/** What hosts know of a tool before and after they call it. */
export const RESULT_RULES: readonly LintRule[] = [
  { id: 'output-schema', severity: 'advice', find: findUnstructured },
  { id: 'tool-annotations', severity: 'advice', find: findUnannotated },
  { id: 'contradicting-annotations', severity: 'warning', find: findContradictions },
  { id: 'tool-title', severity: 'advice', find: findUntitled },
  { id: 'resource-type', severity: 'advice', find: findUntypedResources },
];

function* findUnstructured({ tools }: ReadCatalog): Generator<LintFault> {
  for (const { subject, listed } of tools) {
    if (listed['outputSchema'] !== undefined) continue;
    yield {
      subject,
      found: 'does not say what comes back',
      fix: 'Give it an "outputSchema" if its results are more than text: programs and apps read them by it',
    };
  }
}

function* findUnannotated({ tools }: ReadCatalog): Generator<LintFault> {
  for (const { subject, annotations } of tools) {
    const { readOnlyHint, destructiveHint } = annotations;
    if (readOnlyHint === true || (readOnlyHint === false && typeof destructiveHint === 'boolean')) continue;
    const missing = readOnlyHint === false ? 'destructiveHint' : 'readOnlyHint';
    yield {
      subject,
      found: `has no "${missing}": hosts assume the worst, and ask before each call`,
      fix: 'Say in "annotations" whether it only reads, and otherwise whether it destroys anything',
    };
  }
}

function* findContradictions({ tools }: ReadCatalog): Generator<LintFault> {
  for (const { subject, name, annotations } of tools) {
    const { readOnlyHint, destructiveHint } = annotations;
    if (readOnlyHint !== true) continue;
    const verb = CHANGING.exec(name)?.[0];
    if (destructiveHint !== true && verb === undefined) continue;
    yield {
      subject,
      found:
        destructiveHint === true
          ? 'says that it only reads, and that it destroys'
          : `says that it only reads, and its name begins with "${verb}"`,
      fix: 'Remove "readOnlyHint": hosts may call what only reads without asking',
    };
  }
}

function* findUntitled({ tools }: ReadCatalog): Generator<LintFault> {
  for (const { subject, listed, annotations } of tools) {
    if (typeof (listed['title'] ?? annotations['title']) === 'string') continue;
    yield {
      subject,
      found: 'has no title',
      fix: 'Give it a "title": hosts show it to people who allow a call',
    };
  }
}

function* findUntypedResources({ resources, resourceTemplates }: ReadCatalog): Generator<LintFault> {
  for (const { subject, listed } of [...resources, ...resourceTemplates]) {
    if (typeof listed['mimeType'] === 'string') continue;
    yield {
      subject,
      found: 'does not say of what type it is',
      fix: 'Give it a "mimeType": hosts decide by it what to do with it',
    };
  }
}
