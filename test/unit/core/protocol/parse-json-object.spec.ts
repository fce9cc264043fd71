import { describe, expect, it } from '@jest/globals';
import { parseJsonObject } from '../../../../lib/core/protocol/json-rpc.js';

const encode = (text: string) => new TextEncoder().encode(text).buffer;

describe('parseJsonObject (RFC 8259)', () => {
  it.each<[string, string | ArrayBuffer]>([
    ['a text', '{"name":"Zoë"}'],
    ['bytes', encode('{"name":"Zoë"}')],
  ])('reads an object from %s (CLI-02)', (_name, source) => {
    expect(parseJsonObject(source)).toEqual({ name: 'Zoë' });
  });

  it.each(['', 'name', '[{}]', 'null', '"name"', '1', '{"name":'])('finds none in %j (CLI-02)', (text) => {
    expect(parseJsonObject(text)).toBeUndefined();
    expect(parseJsonObject(encode(text))).toBeUndefined();
  });

  it('finds none in bytes that are not UTF-8 (CLI-02)', () => {
    const bytes = Uint8Array.from(Buffer.from('{"name":"Zoë"}', 'latin1')).buffer;
    expect(parseJsonObject(bytes)).toBeUndefined();
  });
});
