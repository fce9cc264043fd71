import { describe, expect, it } from '@jest/globals';
import { parse } from 'jsonc-parser';
import { ConfigurationError } from '../../../../cli/clients/configuration-file.js';
import { addServer, removeServer } from '../../../../cli/clients/edit-configuration.js';

const PLACE = { client: { member: 'servers', title: 'VS Code' }, name: 'desk' };
const ENTRY = { type: 'http', url: 'http://127.0.0.1:3000/mcp', headers: { 'x-key': 'a"b' } };

const COMMENTED = `// ours
{
\t// which servers
\t"servers": {
\t\t"shop": { "url": "https://shop.example.com/mcp" }, // the shop
\t},
\t"inputs": [], /* none */
}
`;

describe('the configuration of a client', () => {
  it.each([
    ['no file', ''],
    ['an object of one line', '{"servers":{"shop":{"url":"https://shop.example.com/mcp"}},"inputs":[]}'],
    ['no servers yet', '{\n    "inputs": []\n}\n'],
    ['comments, tabs and commas at the end', COMMENTED],
    ['lines that end as on Windows', '{\r\n  "servers": {\r\n    "shop": {}\r\n  }\r\n}\r\n'],
    ['a comment alone', '{\n  // nothing yet\n}\n'],
    ['a comment before the next server', '{\n  "servers": {\n    // the shop\n    "shop": {}\n  }\n}\n'],
    ['servers before and behind', '{\n  "servers": { "a": {}, "b": {} }\n}\n'],
  ])('takes a server in and lets it go again, with %s', (_, text) => {
    const added = addServer(text, PLACE, ENTRY);
    const before: unknown = parse(text) ?? {};
    expect(parse(added)).toEqual({ ...Object(before), servers: { ...parse(text)?.servers, desk: ENTRY } });
    expect(removeServer(added, PLACE)).toBe(text);
  });

  it('keeps every line that was there', () => {
    const added = addServer(COMMENTED, PLACE, ENTRY);
    for (const line of COMMENTED.split('\n')) expect(added.split('\n')).toContain(line);
    expect(added).toContain('\t\t"desk": {\n\t\t\t"type": "http",');
  });

  it('ends its lines as the file does', () => {
    const added = addServer('{\r\n  "servers": {\r\n    "shop": {}\r\n  }\r\n}\r\n', PLACE, ENTRY);
    expect(added).not.toMatch(/[^\r]\n/);
  });

  it('changes nothing if the server is there already', () => {
    const added = addServer(COMMENTED, PLACE, ENTRY);
    expect(addServer(added, PLACE, { ...ENTRY })).toBe(added);
  });

  it('replaces an entry of the same name and URL, such as one without its token', () => {
    const headers = { Authorization: 'Bearer ${input:desk-token}' };
    const added = addServer(addServer(COMMENTED, PLACE, ENTRY), PLACE, { ...ENTRY, headers });
    expect(added).toContain('${input:desk-token}');
    expect(added.match(/"desk"/g)).toHaveLength(1);
    for (const line of COMMENTED.split('\n')) expect(added.split('\n')).toContain(line);
  });

  it('leaves another server of the name alone', () => {
    const added = addServer(COMMENTED, PLACE, ENTRY);
    const add = () => addServer(added, PLACE, { ...ENTRY, url: 'https://desk.example.com/mcp' });
    expect(add).toThrow(ConfigurationError);
    expect(add).toThrow(
      'VS Code already has a different server called "desk": choose another "--name", or remove that server',
    );
  });

  it.each([
    ['the first', '{ "servers": { "desk": {}, "a": {}, "b": {} } }', '{ "servers": { "a": {}, "b": {} } }'],
    [
      'one in the middle',
      '{ "servers": { "a": {}, "desk": {}, "b": {} } }',
      '{ "servers": { "a": {}, "b": {} } }',
    ],
    ['the last', '{ "servers": { "a": {}, "desk": {} } }', '{ "servers": { "a": {} } }'],
    [
      'the last, with a comma at the end',
      '{\n  "servers": {\n    "a": {}, // a\n    "desk": {},\n  },\n}\n',
      '{\n  "servers": {\n    "a": {}, // a\n  },\n}\n',
    ],
  ])('lets %s of several go', (_, text, left) => {
    expect(removeServer(text, PLACE)).toBe(left);
  });

  it('is not held up by long lines of comments behind the last server', () => {
    const text = `{ "servers": { "a": {}, "desk": {} /*a*/${'/*a*/'.repeat(60)}\n${'/'.repeat(200)}\n } }`;
    expect(removeServer(text, PLACE)).not.toContain('desk');
  });

  it('has nothing to remove if the server is not there', () => {
    for (const text of ['', '{}', COMMENTED]) expect(removeServer(text, PLACE)).toBe(text);
  });

  it.each(['{ "servers": ', '[]', '"text"', '{ "servers": [] }', '{ "servers": null }', '{ servers: {} }'])(
    'is left alone if it is %j',
    (text) => {
      expect(() => addServer(text, PLACE, ENTRY)).toThrow(ConfigurationError);
      expect(() => removeServer(text, PLACE)).toThrow(ConfigurationError);
    },
  );

  it('names the line that is wrong', () => {
    expect(() => addServer('{\n  "servers": {},\n  wrong\n}', PLACE, ENTRY)).toThrow('at line 3');
  });

  it.each(['__proto__', 'constructor', 'toString'])('takes "%s" for a name as any other', (name) => {
    const place = { ...PLACE, name };
    const added = addServer('{}', place, ENTRY);
    expect(added).toContain(`"${name}"`);
    expect(removeServer(added, place)).toBe('');
  });
});
