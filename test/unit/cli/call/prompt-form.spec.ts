import { beforeEach, describe, expect, it } from '@jest/globals';
import { promptForm } from '../../../../cli/call/form/prompt-form.js';

let told: string[];
let questions: string[];

beforeEach(() => {
  told = [];
  questions = [];
});

/** Answers a form of one field, or of the schema given, with lines; after them there are no more. */
function fill(property: object, lines: readonly string[], required: readonly string[] = ['x']) {
  const requestedSchema = { type: 'object', properties: { x: property }, required };
  return fillAll({ message: 'What is x?', requestedSchema }, lines);
}

function fillAll(question: { message: string; requestedSchema?: unknown }, lines: readonly string[]) {
  const left = [...lines];
  return promptForm(question, {
    tell: (line) => void told.push(line),
    ask: async (text) => {
      questions.push(text);
      return left.shift();
    },
  });
}

const Fruit = { type: 'string', enum: ['apple', 'pear', '1'], enumNames: ['Apple', 'Pear', 'One'] };
const Titled = { oneOf: [{ const: 'a', title: 'Apples' }, { const: 'b' }] };
const Some = { type: 'array', items: { enum: ['vegan', 'halal', 'kosher'] }, minItems: 1, maxItems: 2 };

describe('promptForm (MCP client/elicitation)', () => {
  it.each<[object, string, unknown]>([
    [{ type: 'string' }, 'Ada Lovelace', 'Ada Lovelace'],
    [{ type: 'integer' }, ' 4 ', 4],
    [{ type: 'number' }, '-1.5', -1.5],
    [{ type: 'boolean' }, 'y', true],
    [{ type: 'boolean' }, 'FALSE', false],
    [{ type: 'string', format: 'date' }, '2026-02-28', '2026-02-28'],
    [{ type: 'string', format: 'date-time' }, '2026-02-28T10:00:00Z', '2026-02-28T10:00:00Z'],
    [{ type: 'string', format: 'email' }, 'ada@example.com', 'ada@example.com'],
    [{ type: 'string', format: 'hasOwnProperty' }, 'ada', 'ada'],
    [{ type: 'string', format: '__proto__' }, 'ada', 'ada'],
    [{ type: 'string', format: 'uri' }, 'https://example.com', 'https://example.com'],
    [Fruit, 'pear', 'pear'],
    [Fruit, 'PEAR', 'pear'],
    [Fruit, '2', 'pear'],
    [Fruit, '1', '1'],
    [Titled, 'apples', 'a'],
    [Titled, '2', 'b'],
    [Some, 'vegan, 3', ['vegan', 'kosher']],
    [{ type: 'array', items: { anyOf: [{ const: 'v', title: 'Vegan' }] } }, 'vegan,v', ['v']],
  ])('takes for %j the line %j (CLI-20)', async (property, line, value) => {
    expect(await fill(property, [line, ''])).toEqual({ action: 'accept', content: { x: value } });
  });

  it.each<[object, string, string]>([
    [{ type: 'integer' }, '1.5', 'a whole number'],
    [{ type: 'integer', minimum: 1 }, '0', '1 or more'],
    [{ type: 'number', maximum: 8 }, '9', '8 or less'],
    [{ type: 'number' }, 'many', 'a number'],
    [{ type: 'boolean' }, 'perhaps', '"yes" or "no"'],
    [{ type: 'string' }, '', 'a value: the field is required'],
    [{ type: 'string', minLength: 3 }, 'ab', '3 characters or more'],
    [{ type: 'string', maxLength: 1 }, 'ab', '1 characters or fewer'],
    [{ type: 'string', format: 'date' }, '2026-02-30', 'a date such as'],
    [{ type: 'string', format: 'date-time' }, '2026-02-28', 'a time such as'],
    [{ type: 'string', format: 'email' }, 'ada', 'an e-mail address'],
    [{ type: 'string', format: 'uri' }, 'example', 'a URL'],
    [Fruit, 'plum', 'a number from 1 to 3, or one of the names'],
    [Fruit, '4', 'a number from 1 to 3'],
    [Some, '', '1 or more of them'],
    [Some, '1,2,3', '2 or fewer of them'],
    [Some, 'fish', 'numbers from 1 to 3, or names'],
  ])('asks again where for %j somebody types %j (CLI-20)', async (property, line, expected) => {
    expect(await fill(property, [line])).toEqual({ action: 'cancel' });
    expect(told.join('\n')).toContain(`Expected ${expected}`);
    expect(questions).toHaveLength(2);
  });

  it('takes what is proposed for an empty line, and shows it (CLI-20)', async () => {
    const property = { ...Some, title: 'Diets', default: ['vegan', 'halal'] };
    expect(await fill(property, ['', 'y'])).toEqual({
      action: 'accept',
      content: { x: ['vegan', 'halal'] },
    });
    expect(questions[0]).toBe('  Diets (any of them, separated by commas) [vegan, halal]: ');
  });

  it('leaves out what may be left out (CLI-20)', async () => {
    expect(await fill({ type: 'integer' }, ['', 'y'], [])).toEqual({ action: 'accept', content: {} });
    expect(questions[0]).toBe('  x (whole number, optional): ');
  });

  it('shows the message, descriptions and choices, without what a terminal obeys (CLI-20)', async () => {
    const property = { ...Titled, description: 'Your \u001b[2Jfruit' };
    await fillAll({ message: 'Fruit?\u0007', requestedSchema: { properties: { x: property } } }, []);
    expect(told).toEqual([
      'The server asks: Fruit?\u{fffd}',
      '  Your \u{fffd}[2Jfruit',
      '    1) Apples (a)',
      '    2) b',
    ]);
  });

  it('shows the value of a choice without what a terminal obeys (CLI-20)', async () => {
    await fill({ type: 'string', oneOf: [{ const: '\u001b[2Ja', title: 'Apples' }] }, []);
    expect(told).toContain('    1) Apples (\u{fffd}[2Ja)');
  });

  it('sends nothing where the person says no at the end (CLI-20)', async () => {
    expect(await fill({ type: 'string' }, ['Ada', 'n'])).toEqual({ action: 'decline' });
  });

  it('cancels where the input ends (CLI-20)', async () => {
    expect(await fill({ type: 'string' }, [])).toEqual({ action: 'cancel' });
    expect(await fill({ type: 'string' }, ['Ada'])).toEqual({ action: 'cancel' });
  });

  it('gives up after ten wrong answers (CLI-20)', async () => {
    const lines = Array.from({ length: 20 }, () => 'many');
    expect(await fill({ type: 'integer' }, lines)).toEqual({ action: 'cancel' });
    expect(questions).toHaveLength(10);
  });

  it('asks for no more than consent where there are no fields (CLI-20)', async () => {
    expect(await fillAll({ message: 'Go on?' }, ['maybe', 'yes'])).toEqual({ action: 'accept', content: {} });
  });
});
