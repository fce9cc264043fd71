import { describe, expect, it } from '@jest/globals';
import { formatMessage, MessageLines } from '../../../../lib/core/development/dev-connection.js';

describe('MessageLines', () => {
  it('reads what comes in pieces, within a character too', () => {
    const lines = new MessageLines(100);
    const bytes = Buffer.from(formatMessage({ name: 'grüße' }) + formatMessage({ name: 'b' }));
    const cut = bytes.indexOf('ü') + 1;
    expect(lines.read(bytes.subarray(0, cut))).toEqual([]);
    expect(lines.read(bytes.subarray(cut))).toEqual([{ name: 'grüße' }, { name: 'b' }]);
  });

  it('refuses a line that is too long before its end has come', () => {
    const lines = new MessageLines(10);
    expect(() => lines.read(Buffer.from('x'.repeat(11)))).toThrow(RangeError);
  });

  it('refuses what is no JSON', () => {
    expect(() => new MessageLines(10).read(Buffer.from('{\n'))).toThrow(SyntaxError);
  });
});
