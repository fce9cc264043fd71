import { describe, expect, it } from '@jest/globals';
import { SettingVersions } from '../../../../../lib/server/sessions/shared/setting-versions.js';

describe('SettingVersions', () => {
  it('makes what follows newer than all that was known, whatever the clock says (RELAY-15)', () => {
    const versions = new SettingVersions();
    expect(versions.raise('level', 1000, 'one')).toBe(1000);
    expect(versions.raise('level', 900, 'one')).toBe(1001);
    expect(versions.note('uri one', 5000)).toBe(true);
    expect(versions.raise('level', 2000, 'one')).toBe(5001);
    expect(versions.raise('level', 6000.4, 'one')).toBe(6000);
  });

  it('takes what is as new as it knows, and nothing older (RELAY-15)', () => {
    const versions = new SettingVersions();
    expect([versions.note('level', 0), versions.find('level')]).toEqual([true, 0]);
    versions.raise('level', 1000, 'one');
    expect([999, 0, 1000, 1001].map((version) => versions.note('level', version))).toEqual([
      false,
      false,
      true,
      true,
    ]);
    expect([versions.find('level'), versions.find('uri one')]).toEqual([1001, 0]);
  });

  it('knows at which process the newest was settled, whoever tells it again (RELAY-15)', () => {
    const versions = new SettingVersions();
    versions.raise('level', 1000, 'one');
    versions.note('level', 1000, 'two');
    versions.note('level', 999, 'two');
    expect(versions.findProcess('level')).toBe('one');
    versions.note('level', 1001, 'two');
    expect(versions.findProcess('level')).toBe('two');
    versions.note('level', 1002);
    expect(versions.findProcess('level')).toBeUndefined();
  });

  it('knows whether the log has the newest (RELAY-15)', () => {
    const versions = new SettingVersions();
    versions.setLogged('level');
    versions.raise('level', 1000, 'one');
    expect(versions.isLogged('level')).toBe(false);
    versions.setLogged('level');
    expect(versions.isLogged('level')).toBe(true);
    versions.note('level', 1001);
    expect(versions.isLogged('level')).toBe(false);
  });

  it('remembers the latest subscriptions that have ended, and forgets older ones whole (RELAY-07)', () => {
    const versions = new SettingVersions();
    const fields = Array.from({ length: 101 }, (_, index) => `uri ${index}`);
    fields.forEach((field, index) => {
      versions.raise(field, index + 1, 'one');
      versions.setEnded(field, true);
    });
    expect(versions.ended).toEqual(fields.slice(1));
    expect([versions.find('uri 0'), versions.find('uri 1')]).toEqual([0, 2]);
    versions.setEnded('uri 1', false);
    versions.setEnded('uri of which nothing is known', true);
    expect(versions.ended).toEqual(fields.slice(2));
    expect(versions.find('uri 1')).toBe(2);
  });
});
