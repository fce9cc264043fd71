import { describe, expect, it } from '@jest/globals';
import { Keyring } from '../../../../lib/core/sealing/keyring.js';
import { Sealer } from '../../../../lib/core/sealing/sealer.js';
import { StateHandles } from '../../../../lib/server/state/state-namespace.js';

const handlesOf = (server = '/mcp', ...secrets: string[]) =>
  new StateHandles(new Sealer(new Keyring(secrets)), server);

describe('StateHandles', () => {
  it('make handles that are short, plain and never the same (XTN-08)', () => {
    const handles = handlesOf();
    const [one, other] = [handles.create(undefined), handles.create(undefined)];
    expect(one).toMatch(/^[\w-]{22}\.[\w-]{43}$/);
    expect(other).not.toBe(one);
  });

  it('open what they made for the same caller, or for nobody who is known (XTN-08)', () => {
    const handles = handlesOf();
    const [adas, anyones] = [handles.create('ada'), handles.create(undefined)];
    expect(handles.verify(adas, 'ada')).toBe(adas.slice(0, 22));
    expect(handles.verify(adas, 'bob')).toBeUndefined();
    expect(handles.verify(adas, undefined)).toBeUndefined();
    expect(handles.verify(anyones, undefined)).toBe(anyones.slice(0, 22));
    expect(handles.verify(anyones, 'ada')).toBe(anyones.slice(0, 22));
  });

  it('open nothing of another server or secret, and what an earlier secret signed (XTN-08)', () => {
    const handle = handlesOf('/mcp', 'the first secret').create(undefined);
    expect(handlesOf('/admin', 'the first secret').verify(handle, undefined)).toBeUndefined();
    expect(handlesOf('/mcp', 'another secret').verify(handle, undefined)).toBeUndefined();
    expect(handlesOf('/mcp', 'another secret', 'the first secret').verify(handle, undefined)).toBeDefined();
  });

  it.each([undefined, null, 7, {}, '', 'x'.repeat(1_000_000)])('open nothing else (XTN-08)', (given) => {
    expect(handlesOf().verify(given, undefined)).toBeUndefined();
  });
});
