import { describe, expect, it } from '@jest/globals';
import { Keyring } from '../../../../lib/core/sealing/keyring.js';
import { Sealer } from '../../../../lib/core/sealing/sealer.js';

const FIRST = 'the first secret of thirty-two characters';
const SECOND = 'another secret, also of thirty-two characters';

describe('Sealer', () => {
  it.each([{ step: 2, names: ['a', 'ü', '😀'] }, 'text', 0, null, true, [], {}])(
    'opens what it sealed: %j (REV-02)',
    (value) => {
      const sealer = new Sealer(new Keyring([FIRST]));
      expect(sealer.open('request-state', sealer.seal('request-state', value))).toEqual(value);
    },
  );

  it('gives visible ASCII that fits a header (SESS-05)', () => {
    const sealer = new Sealer(new Keyring([FIRST]));
    for (let length = 0; length < 50; length += 1) {
      expect(sealer.seal('session-id', 'ü\n'.repeat(length))).toMatch(/^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]{43}$/);
    }
  });

  it('opens what another with the same secret sealed (REV-02) (SESS-05)', () => {
    expect(
      new Sealer(new Keyring([FIRST])).open(
        'session-id',
        new Sealer(new Keyring([FIRST])).seal('session-id', 1),
      ),
    ).toBe(1);
  });

  it('opens nothing of another secret, nor of a random one (REV-02) (SESS-05)', () => {
    const sealed = new Sealer(new Keyring([FIRST])).seal('session-id', 1);
    for (const other of [new Sealer(new Keyring([SECOND])), new Sealer(new Keyring([])), new Sealer()]) {
      expect(other.open('session-id', sealed)).toBeUndefined();
      expect(other.open('session-id', other.seal('session-id', 2))).toBe(2);
    }
    expect(new Sealer().open('session-id', new Sealer().seal('session-id', 1))).toBeUndefined();
  });

  it('opens nothing that was sealed for another purpose (REV-02) (SESS-05)', () => {
    const sealer = new Sealer(new Keyring([FIRST]));
    expect(sealer.open('request-state', sealer.seal('session-id', 1))).toBeUndefined();
    expect(sealer.open('session-id', sealer.seal('request-state', 1))).toBeUndefined();
  });

  it('signs with the first of several secrets and takes all (REV-02)', () => {
    const changing = new Sealer(new Keyring([SECOND, FIRST]));
    expect(changing.open('session-id', new Sealer(new Keyring([FIRST])).seal('session-id', 1))).toBe(1);
    expect(new Sealer(new Keyring([SECOND])).open('session-id', changing.seal('session-id', 2))).toBe(2);
    expect(
      new Sealer(new Keyring([FIRST])).open('session-id', changing.seal('session-id', 2)),
    ).toBeUndefined();
  });

  it('opens nothing with a character changed, added or left out (REV-02)', () => {
    const sealer = new Sealer(new Keyring([FIRST]));
    const sealed = sealer.seal('request-state', { step: 1 });
    for (let index = 0; index < sealed.length; index += 1) {
      const [before, after] = [sealed.slice(0, index), sealed.slice(index + 1)];
      const other = sealed[index] === 'A' ? 'B' : 'A';
      for (const changed of [before + other + after, before + after, `${before}${sealed[index]}=${after}`]) {
        expect(sealer.open('request-state', changed)).toBeUndefined();
      }
    }
  });

  it.each(['', '.', '..', 'a', 'a.', '.a', 'a.b', '{}', 'e30.e30', `${'a'.repeat(100_000)}.b`])(
    'opens nothing that is none: %#',
    (text) => {
      expect(new Sealer(new Keyring([FIRST])).open('request-state', text)).toBeUndefined();
    },
  );

  it('has one form for each value: other writings of its signature are none (REV-02)', () => {
    const sealer = new Sealer(new Keyring([FIRST]));
    const [text = '', signature = ''] = sealer.seal('request-state', 1).split('.');
    const standard = signature.replaceAll('-', '+').replaceAll('_', '/');
    for (const other of [`${signature}=`, `${standard}=`, ` ${signature}`, `${signature}\n`]) {
      expect(sealer.open('request-state', `${text}.${other}`)).toBeUndefined();
    }
  });

  it('gives a signed text back as it is, dots included (SESS-05)', () => {
    const sealer = new Sealer(new Keyring([FIRST]));
    for (const text of ['', '.', 'a', 'a.b', '..a..b..']) {
      const signed = sealer.sign('session-id', text);
      expect(signed).toMatch(/\.[A-Za-z0-9_-]{43}$/);
      expect(signed.startsWith(text)).toBe(true);
      expect(sealer.verify('session-id', signed)).toBe(text);
    }
  });

  it('takes no signed text with a character that has the low byte of the one it replaces (SESS-05)', () => {
    const sealer = new Sealer(new Keyring([FIRST]));
    const signed = sealer.sign('session-id', 'abc');
    for (let index = 0; index < signed.length; index += 1) {
      const wide = String.fromCharCode(signed.charCodeAt(index) + 0x100);
      const changed = signed.slice(0, index) + wide + signed.slice(index + 1);
      expect(sealer.verify('session-id', changed)).toBeUndefined();
    }
  });

  it.each(['', '.', 'a', 'a.', '.a', 'a.b.c', `${'.'.repeat(100_000)}a`])(
    'takes no signed text that is none: %# (SESS-05)',
    (text) => {
      expect(new Sealer(new Keyring([FIRST])).verify('session-id', text)).toBeUndefined();
    },
  );
});
