import { parseFormFields } from '../../../cli/call/form/form-field.js';
import { readAnswer } from '../../../cli/call/form/read-answer.js';
import { assertHolds, assertPristine, readFields, readJson } from '../contract.js';

/** What terminals obey. */
const OBEYED = /\p{Cc}|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

/** Reads the fields of a form that a server shows, and what a person types into each, behind the first zero. */
export function fuzz(bytes: Buffer): void {
  const [text = '', ...lines] = readFields(bytes);
  for (const field of parseFormFields(readJson(text))) {
    assertHolds(!OBEYED.test(field.label + (field.description ?? '')), 'a terminal has nothing to obey');
    for (const line of lines) {
      const answer = readAnswer(field, line);
      if ('expected' in answer) assertHolds(typeof answer.expected === 'string', 'what is expected is told');
    }
    assertPristine();
  }
}
