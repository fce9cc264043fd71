import { describe, expect, it } from '@jest/globals';
import { Keyring } from '../../../../lib/core/sealing/keyring.js';
import { Cipher } from '../../../../lib/core/sealing/cipher.js';

const SECRET = 'a secret that is long enough to be one';
const OTHER = 'another secret that is long enough too';

describe('Cipher', () => {
  const cipher = new Cipher('task', new Keyring([SECRET]));

  it('gives back what it encrypted, in visible ASCII that shows nothing of it (RELAY-09)', () => {
    for (const text of ['', 'classified', 'ünïcode 🎉', 'x'.repeat(100_000)]) {
      const encrypted = cipher.encrypt(text, 'task-1');
      expect(encrypted).toMatch(/^[\w-]+$/);
      expect(encrypted).not.toContain('classified');
      expect(cipher.decrypt(encrypted, 'task-1')).toBe(text);
    }
  });

  it('encrypts the same text in another way each time (RELAY-09)', () => {
    expect(cipher.encrypt('text', 'task-1')).not.toBe(cipher.encrypt('text', 'task-1'));
  });

  it('reads nothing that belongs elsewhere, is of another purpose or secret, or was changed (RELAY-09)', () => {
    const encrypted = cipher.encrypt('text', 'task-1');
    expect(cipher.decrypt(encrypted, 'task-2')).toBeUndefined();
    expect(new Cipher('webhook', new Keyring([SECRET])).decrypt(encrypted, 'task-1')).toBeUndefined();
    expect(new Cipher('task', new Keyring([OTHER])).decrypt(encrypted, 'task-1')).toBeUndefined();
    for (let at = 0; at < encrypted.length - 1; at += 1) {
      const changed = encrypted.slice(0, at) + (encrypted[at] === 'A' ? 'B' : 'A') + encrypted.slice(at + 1);
      expect(cipher.decrypt(changed, 'task-1')).toBeUndefined();
    }
    for (const text of ['', 'A', encrypted.slice(0, 20), '{}', 'nö']) {
      expect(cipher.decrypt(text, 'task-1')).toBeUndefined();
    }
  });

  it('encrypts in each process by a key of its own, which each other can make (RELAY-09)', () => {
    const other = new Cipher('task', new Keyring([SECRET]));
    const saltOf = (encrypted: string) => Buffer.from(encrypted, 'base64url').subarray(0, 16).toString('hex');
    const salts = [cipher, cipher, other].map((one) => saltOf(one.encrypt('text', 'task-1')));
    expect(salts[1]).toBe(salts[0]);
    expect(salts[2]).not.toBe(salts[0]);
    // However many processes there were, those that are there are read.
    for (let count = 0; count < 300; count += 1) {
      const encrypted = new Cipher('task', new Keyring([SECRET])).encrypt(`${count}`, 'task-1');
      expect(other.decrypt(encrypted, 'task-1')).toBe(`${count}`);
    }
    expect(other.decrypt(cipher.encrypt('text', 'task-1'), 'task-1')).toBe('text');
  });

  it('encrypts by the first secret and reads by each (RELAY-09)', () => {
    const renewed = new Cipher('task', new Keyring([OTHER, SECRET]));
    expect(renewed.decrypt(cipher.encrypt('text', 'a'), 'a')).toBe('text');
    expect(new Cipher('task', new Keyring([OTHER])).decrypt(renewed.encrypt('text', 'a'), 'a')).toBe('text');
  });

  it('encrypts nothing without a secret (RELAY-09)', () => {
    expect(() => new Cipher('task', new Keyring([])).encrypt('text', 'a')).toThrow(
      'There is no secret to encrypt with',
    );
  });
});
