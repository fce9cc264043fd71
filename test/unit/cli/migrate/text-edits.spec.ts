import { describe, expect, it } from '@jest/globals';
import { TextEdits } from '../../../../cli/migrate/source/text-edits.js';

describe('TextEdits', () => {
  it('changes nothing that no edit names', () => {
    expect(new TextEdits('a  b').apply()).toBe('a  b');
  });

  it('applies edits by their places, and insertions of one place in their order', () => {
    const edits = new TextEdits('abc');
    edits.replace({ start: 2, end: 3 }, 'C');
    edits.insert(1, '1');
    edits.insert(1, '2');
    edits.remove({ start: 0, end: 1 });
    expect(edits.apply()).toBe('12bC');
  });

  it('drops edits inside what is replaced', () => {
    const edits = new TextEdits('abcd');
    edits.replace({ start: 1, end: 2 }, 'x');
    edits.replace({ start: 0, end: 3 }, '-');
    edits.replace({ start: 0, end: 3 }, 'once');
    expect(edits.apply()).toBe('-d');
  });

  it('renders what is moved with the edits inside it', () => {
    const edits = new TextEdits('ab');
    edits.replace({ start: 0, end: 1 }, 'A');
    edits.replace({ start: 0, end: 2 }, () => `(${edits.render({ start: 0, end: 1 })})`);
    expect(edits.apply()).toBe('(A)');
  });

  it('joins what is taken out twice', () => {
    const edits = new TextEdits('a, b, c');
    edits.remove({ start: 1, end: 4 });
    edits.remove({ start: 3, end: 7 });
    expect(edits.apply()).toBe('a');
  });

  it('refuses edits that overlap', () => {
    const edits = new TextEdits('abc');
    edits.replace({ start: 0, end: 2 }, 'x');
    edits.replace({ start: 1, end: 3 }, 'y');
    expect(() => edits.apply()).toThrow('Two edits overlap at 1');
  });
});
