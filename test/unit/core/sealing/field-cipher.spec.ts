import { describe, expect, it } from '@jest/globals';
import { Keyring } from '../../../../lib/core/sealing/keyring.js';
import { FieldCipher } from '../../../../lib/core/sealing/field-cipher.js';

const SECRET = 'a secret that is long enough to be one';
const OTHER = 'another secret that is long enough too';

describe('FieldCipher', () => {
  const cipher = new FieldCipher(new Keyring([SECRET]));
  const encrypt = (text: string, place = 'here') => cipher.encryptByEach(text, place)[0];

  it('gives back what it encrypted, in visible ASCII that shows nothing of it', () => {
    for (const text of ['', 'classified', 'ünïcode 🎉', 'x'.repeat(100_000)]) {
      const encrypted = encrypt(text);
      expect(encrypted).toMatch(/^[\w-]+$/);
      expect(encrypted).not.toContain('classified');
      expect(cipher.decrypt(encrypted, 'here')).toBe(text);
    }
  });

  it('encrypts the same text at the same place in the same way, and elsewhere in another', () => {
    expect(new FieldCipher(new Keyring([SECRET])).encryptByEach('text', 'here')[0]).toBe(encrypt('text'));
    expect(encrypt('text', 'there')).not.toBe(encrypt('text'));
    expect(encrypt('heretext', '')).not.toBe(encrypt('text', 'here'));
  });

  it('reads nothing that belongs elsewhere, is of another secret, or was changed', () => {
    const encrypted = encrypt('text');
    expect(cipher.decrypt(encrypted, 'there')).toBeUndefined();
    expect(new FieldCipher(new Keyring([OTHER])).decrypt(encrypted, 'here')).toBeUndefined();
    for (let at = 0; at < encrypted.length - 1; at += 1) {
      const changed = encrypted.slice(0, at) + (encrypted[at] === 'A' ? 'B' : 'A') + encrypted.slice(at + 1);
      expect(cipher.decrypt(changed, 'here')).toBeUndefined();
    }
    for (const text of ['', 'A', encrypted.slice(0, 20), '{}', 'nö']) {
      expect(cipher.decrypt(text, 'here')).toBeUndefined();
    }
  });

  it('encrypts by each secret, and reads by each', () => {
    const renewed = new FieldCipher(new Keyring([OTHER, SECRET]));
    expect(renewed.decrypt(encrypt('text'), 'here')).toBe('text');
    expect(renewed.encryptByEach('text', 'here')[1]).toBe(encrypt('text'));
  });

  it('encrypts nothing without a secret', () => {
    expect(() => new FieldCipher(new Keyring([])).encryptByEach('text', 'here')).toThrow(
      'There is no secret',
    );
  });
});
