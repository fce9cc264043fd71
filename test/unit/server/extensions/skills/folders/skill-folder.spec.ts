import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { renameSync } from 'node:fs';
import { ResourceRegistry } from '../../../../../../lib/server/catalog/registries.js';
import { SkillFolder } from '../../../../../../lib/server/extensions/skills/folders/skill-folder.js';
import { SkillRegistry } from '../../../../../../lib/server/extensions/skills/skill-registry.js';
import { describeSkill, SkillFolder as Files } from '../../../../../support/applications/skill-folder.js';
import { until } from '../../../../../support/until.js';
import { CapturedLog } from '../../../../support/captured-log.js';

describe('SkillFolder', () => {
  let files: Files;
  let folder: SkillFolder;
  let log: CapturedLog;
  /** How often the folder was looked through, and how often it was asked where it is, which it is to be looked for. */
  let looks: number;
  let tries: number;

  beforeEach(() => {
    log = CapturedLog.begin();
    [looks, tries] = [0, 0];
    files = new Files({ 'refunds/SKILL.md': describeSkill('refunds') });
    folder = new SkillFolder(
      {
        get path() {
          tries += 1;
          return files.path;
        },
      },
      {
        skillRegistry: new SkillRegistry(new ResourceRegistry()),
        notifyUpdated: () => undefined,
        listOthers: () => {
          looks += 1;
          return [];
        },
      },
    );
    // What reads files goes on.
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
  });

  afterEach(() => {
    jest.useRealTimers();
    folder.close();
    log.release();
    files.remove();
  });

  const leave = () => renameSync(files.path, `${files.path}-away`);
  const comeBack = () => renameSync(`${files.path}-away`, files.path);
  const untilLooks = (count: number) => until(() => looks >= count, `${count} looks`);

  it('is looked at at once for whoever finds something else in it, and then once in five seconds (XTN-01) (FAIR-02)', async () => {
    const [skill] = await folder.load();
    const findElse = () => Promise.all(Array.from({ length: 20 }, async () => skill?.parts.onOutdated?.()));
    await findElse();
    expect(looks).toBe(2);
    for (let look = 3; look <= 5; look += 1) {
      jest.advanceTimersByTime(4999);
      await findElse();
      expect(looks).toBe(look - 1);
      jest.advanceTimersByTime(1);
      await untilLooks(look);
    }
  });

  it('is looked for once a second while it is away, which is said once (XTN-01)', async () => {
    await folder.load();
    await folder.watch();
    leave();
    await folder.refresh();
    for (let second = 1; second <= 5; second += 1) {
      const before = tries;
      jest.advanceTimersByTime(1000);
      await until(() => tries > before, 'another look');
      await folder.refresh();
    }
    const away = `The skill folder "${files.path}" cannot be read: its skills are not updated: `;
    expect(log.warnings.filter((line) => line.startsWith(away))).toHaveLength(1);
    comeBack();
    await folder.refresh();
    leave();
    await folder.refresh();
    expect(log.warnings.filter((line) => line.startsWith(away))).toHaveLength(2);
  });

  it('is not looked for where it is not watched, and says nothing once it is closed (XTN-01)', async () => {
    await folder.load();
    leave();
    await folder.refresh();
    const before = tries;
    jest.advanceTimersByTime(60_000);
    expect(tries).toBe(before);
    folder.close();
    comeBack();
    files.write('refunds/SKILL.md', 'no frontmatter');
    const { length } = log.warnings;
    await folder.refresh();
    expect(log.warnings).toHaveLength(length);
  });
});
