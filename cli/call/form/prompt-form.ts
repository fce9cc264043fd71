import { makeLine, makeVisible } from '../../visible-text.js';
import type { Reading } from '../read-number.js';
import { parseFormFields, type FormField } from './form-field.js';
import { readAnswer } from './read-answer.js';

/** The outcome of a form elicitation (MCP client/elicitation). */
export type FormOutcome =
  | { readonly action: 'accept'; readonly content: { readonly [name: string]: unknown } }
  | { readonly action: 'decline' | 'cancel' };

/** Shows a form's prompts and reads the input. */
export interface FormReader {
  /** Shows a line. */
  tell(line: string): void;
  /** Shows a prompt and returns the line that was entered, or `undefined` at the end of the input. */
  ask(question: string): Promise<string | undefined>;
}

/** A form elicitation's parameters. */
export interface FormQuestion {
  readonly message: string;
  readonly requestedSchema?: unknown;
}

/** After this many invalid inputs, the form is canceled. */
const MOST_ATTEMPTS = 10;

/** Prompts for a form's fields. Nothing is sent until the user confirms at the end. */
export async function promptForm(question: FormQuestion, reader: FormReader): Promise<FormOutcome> {
  reader.tell(`The server asks: ${makeVisible(question.message)}`);
  const content = new Map<string, unknown>();
  for (const field of parseFormFields(question.requestedSchema)) {
    const answer = await askField(field, reader);
    if (answer === undefined) return { action: 'cancel' };
    if (answer.value !== undefined) content.set(field.name, answer.value);
  }
  const send = await askUntil(reader, 'Send this? [Y/n] ', readConsent);
  if (send === undefined) return { action: 'cancel' };
  return send.value ? { action: 'accept', content: Object.fromEntries(content) } : { action: 'decline' };
}

async function askField(
  field: FormField,
  reader: FormReader,
): Promise<{ readonly value: unknown } | undefined> {
  if (field.description !== undefined) reader.tell(`  ${field.description}`);
  for (const [index, { value, title }] of field.choices.entries()) {
    reader.tell(`    ${index + 1}) ${title}${title === value ? '' : ` (${makeLine(value)})`}`);
  }
  return askUntil(reader, formatQuestion(field), (line) => readAnswer(field, line));
}

async function askUntil<Value>(
  reader: FormReader,
  question: string,
  read: (line: string) => Reading<Value>,
): Promise<{ readonly value: Value } | undefined> {
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
    const line = await reader.ask(question);
    if (line === undefined) return undefined;
    const answer = read(line);
    if ('value' in answer) return answer;
    reader.tell(`  Expected ${answer.expected}`);
  }
  reader.tell('  Too many invalid inputs: nothing was sent');
  return undefined;
}

const KINDS: { readonly [kind in FormField['kind']]: string } = {
  text: '',
  number: 'number',
  integer: 'whole number',
  boolean: 'yes or no',
  choice: 'one of them',
  choices: 'any of them, separated by commas',
};

function formatQuestion({ label, kind, isRequired, proposal, limits }: FormField): string {
  const format = typeof limits['format'] === 'string' ? limits['format'] : '';
  const notes = [KINDS[kind], format, isRequired ? '' : 'optional'].filter((note) => note !== '');
  const details = notes.length === 0 ? '' : ` (${notes.join(', ')})`;
  return makeVisible(`  ${label}${details}${formatProposal(proposal)}: `);
}

function formatProposal(proposal: unknown): string {
  if (proposal === undefined) return '';
  if (typeof proposal === 'boolean') return ` [${proposal ? 'yes' : 'no'}]`;
  return ` [${[proposal].flat().map(String).join(', ') || 'none'}]`;
}

function readConsent(line: string): Reading<boolean> {
  if (/^(y|yes|)$/i.test(line.trim())) return { value: true };
  return /^(n|no)$/i.test(line.trim()) ? { value: false } : { expected: '"yes" or "no"' };
}
