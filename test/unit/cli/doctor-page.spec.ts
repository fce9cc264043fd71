import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { CHECKS } from '../../../cli/doctor/checks.js';
import type { OptionDeclarations } from '../../../cli/help.js';
import { STARTED_OPTIONS } from '../../../cli/server/called-server.js';
import { SERVER_OPTIONS } from '../../../cli/server/server-options.js';
import { buildOptionRows, loadHelp, readOptionRows } from './option-rows.js';

const page = readFileSync('docs/doctor.md', 'utf8');

describe('docs/doctor.md', () => {
  it('lists every option, or names it as a connection option (CLI-20)', async () => {
    const { options } = await loadHelp('doctor');
    const connection: OptionDeclarations = { ...SERVER_OPTIONS, ...STARTED_OPTIONS };
    const shared = Object.entries(options).filter(([name, option]) =>
      isDeepStrictEqual(connection[name], option),
    );
    const names = shared.map(([name]) => name);
    const [, named = ''] = /^(`--[^[]*?)are\s+\[connection options\]/m.exec(page) ?? [];
    expect([...named.matchAll(/`--([a-z-]+)`/g)].map(([, name]) => name)).toEqual(names);
    const others = Object.fromEntries(Object.entries(options).filter(([name]) => !names.includes(name)));
    expect(readOptionRows('doctor.md')).toEqual(buildOptionRows(others));
  });

  it('lists every check, in the order in which they are made (KIT-03)', () => {
    const listed = [...page.matchAll(/^\| `([a-z][a-z-]*)` /gm)].map(([, id]) => id);
    expect(listed).toEqual(CHECKS.map(({ id }) => id));
  });
});
