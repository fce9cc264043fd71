import { describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import {
  type SkillFiles,
  comparePaths,
  SkillManifest,
} from '../../../../../lib/server/extensions/skills/skill-manifest.js';
import { Gate } from '../../../../support/applications/gate.js';
import { until } from '../../../../support/until.js';

const digestOf = (text: string) => `sha256:${createHash('sha256').update(text).digest('hex')}`;

/** Files that a test changes, and that count how often they are read. */
class CountedFiles implements SkillFiles {
  readonly isDynamic = false;
  reads = 0;

  constructor(
    readonly files: Record<string, string | undefined>,
    private readonly gate?: Gate,
  ) {}

  has(path: string): boolean {
    return path in this.files;
  }

  list(): readonly string[] {
    return Object.keys(this.files);
  }

  async read(path: string): Promise<Uint8Array | undefined> {
    this.reads += 1;
    await this.gate?.pass();
    const text = this.files[path];
    return text === undefined ? undefined : Buffer.from(text);
  }
}

describe('SkillManifest', () => {
  it('knows nothing before it is asked for, and reads each file once for all who ask (XTN-01)', async () => {
    const files = new CountedFiles({ 'SKILL.md': 'ä', 'a b/c.md': '' });
    const manifest = new SkillManifest('skill://refunds', files);
    expect([manifest.known, manifest.findDigest('SKILL.md'), files.reads]).toEqual([undefined, undefined, 0]);
    const asked = [manifest.get(), manifest.get()];
    const resources = [
      { uri: 'skill://refunds/SKILL.md', digest: digestOf('ä'), size: 2 },
      { uri: 'skill://refunds/a%20b/c.md', digest: digestOf(''), size: 0 },
    ];
    expect(await Promise.all(asked)).toEqual([resources, resources]);
    expect(await manifest.get()).toBe(manifest.known);
    expect([files.reads, manifest.findDigest('a b/c.md')]).toEqual([2, digestOf('')]);
  });

  it('tells whether a file is still what it says of it, as far as it says something (XTN-01)', async () => {
    const manifest = new SkillManifest('skill://refunds', new CountedFiles({ 'SKILL.md': 'one' }));
    expect(manifest.matches('SKILL.md', Buffer.from('two'))).toBe(true);
    await manifest.get();
    expect(manifest.matches('SKILL.md', Buffer.from('one'))).toBe(true);
    expect(manifest.matches('SKILL.md', Buffer.from('two'))).toBe(false);
    expect(manifest.matches('other.md', Buffer.from('two'))).toBe(true);
  });

  it('does not read again for a while what could not be read (XTN-01) (FAIR-02)', async () => {
    const files = new CountedFiles({ 'SKILL.md': 'one', 'gone.md': undefined });
    const manifest = new SkillManifest('skill://refunds', files);
    const gone = 'The file "gone.md" in "skill://refunds" no longer exists';
    await expect(manifest.get()).rejects.toThrow(gone);
    files.files['gone.md'] = 'here';
    await expect(manifest.get()).rejects.toThrow(gone);
    expect([files.reads, manifest.known]).toEqual([2, undefined]);
  });

  it('is known of a skill that is made for each caller, of which nothing is read (XTN-01)', async () => {
    const files = Object.assign(new CountedFiles({ 'SKILL.md': 'one' }), { isDynamic: true });
    const manifest = new SkillManifest('skill://live', files);
    expect([manifest.known, await manifest.get(), files.reads]).toEqual(['dynamic', 'dynamic', 0]);
  });

  it('reads the files of four skills at once (XTN-01)', async () => {
    const gates = Array.from({ length: 5 }, () => new Gate());
    const all = gates.map((gate) => new CountedFiles({ 'SKILL.md': '' }, gate));
    const built = all.map((files, index) => new SkillManifest(`skill://${index}`, files).get());
    await Promise.all(gates.slice(0, 4).map((gate) => gate.reached()));
    expect(all.map(({ reads }) => reads)).toEqual([1, 1, 1, 1, 0]);
    gates[2]?.open();
    await until(() => all[4]?.reads === 1, 'the fifth');
    for (const gate of gates) gate.open();
    await Promise.all(built);
  });
});

describe('comparePaths', () => {
  it('puts SKILL.md first, and the others by their characters (XTN-01)', () => {
    const paths = ['b', 'SKILL.md', 'a/SKILL.md', 'Z', 'a'];
    expect(paths.toSorted(comparePaths)).toEqual(['SKILL.md', 'Z', 'a', 'a/SKILL.md', 'b']);
    expect(paths.toReversed().toSorted(comparePaths)).toEqual(['SKILL.md', 'Z', 'a', 'a/SKILL.md', 'b']);
    expect([comparePaths('a', 'a'), comparePaths('SKILL.md', 'SKILL.md')]).toEqual([0, 0]);
  });
});
