import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { entriesOf } from '../../support/clients/entries.js';
import type { JsonObject } from '../../support/clients/message.js';
import { StdioProgram } from '../../support/programs/stdio-program.js';
import { PER_REQUEST_META, PROGRAM } from './programs.js';

describe('State over standard input and output', () => {
  let program: StdioProgram;

  beforeEach(() => {
    program = new StdioProgram(PROGRAM);
  });

  afterEach(() => program.finish());

  it('is that of the one caller, with a handshake or without (XTN-08)', async () => {
    let id = 0;
    const add = async (item: string, more: JsonObject = {}): Promise<unknown> => {
      const params = { name: 'remember', arguments: { item }, ...more };
      const { result } = await program.request({ id: ++id, method: 'tools/call', params });
      return entriesOf(result as JsonObject, 'content')[0]?.['text'];
    };
    expect(await add('tea', { _meta: PER_REQUEST_META })).toBe('tea');
    await program.initialize();
    expect(await add('milk')).toBe('tea, milk');
    expect(await add('sugar', { _meta: PER_REQUEST_META })).toBe('tea, milk, sugar');
  });
});
