import { afterEach, describe, expect, it } from '@jest/globals';
import { Injectable, type Provider } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { Throttle, ThrottlerGuard, ThrottlerModule } from '@nestjs/throttler';
import { Concurrency, Skill, Tool, type SkillSource } from 'nestjs-mcp';
import { ADAPTERS, type RunningApp } from '../../../support/applications/boot.js';
import { Gates } from '../../../support/applications/gate.js';
import { bootServer } from '../../../support/applications/server.js';
import { perRequest } from '../../../support/clients/json-rpc.js';

const DESCRIPTION = 'Tell what happens now';
const MINUTE_MS = 60_000;
const ONCE = { default: { limit: 1, ttl: MINUTE_MS } };
const REFUSED = { status: 429, error: { code: -32023 } };

@Injectable()
class DearSkills {
  readonly gates = new Gates();

  @Concurrency({ max: 1 })
  @Skill({ description: DESCRIPTION, dynamic: true })
  async live({ uri }: { uri: string }): Promise<string> {
    await this.gates.at(uri).pass();
    return uri;
  }
}

@Injectable()
@Skill({ description: DESCRIPTION, dynamic: true })
class DearSkill implements SkillSource {
  readonly gates = new Gates();

  @Concurrency({ max: 1 })
  async contents({ uri }: { uri: string }): Promise<string> {
    await this.gates.at(uri).pass();
    return uri;
  }
}

@Injectable()
class ThrottledSkills {
  @Throttle(ONCE)
  @Skill({ description: DESCRIPTION, dynamic: true })
  live(): string {
    return 'now';
  }

  @Throttle(ONCE)
  @Skill({ description: DESCRIPTION })
  made(): string {
    return 'once';
  }
}

@Injectable()
class HiddenTool {
  @Tool({ description: 'Not for all', visible: () => false })
  hidden(): string {
    return 'hidden';
  }
}

@Injectable()
@Concurrency({ max: 1 })
@Skill({ description: DESCRIPTION })
class MadeSkill implements SkillSource {
  contents(): string {
    return 'made';
  }
}

let server: RunningApp;

afterEach(() => server.close());

describe.each(ADAPTERS)('What limits handlers limits skills, on %s', (adapter) => {
  const boot = async (...providers: Provider[]) => {
    const imports = [ThrottlerModule.forRoot([{ ttl: MINUTE_MS, limit: 100 }])];
    server = await bootServer({ adapter, imports, providers });
  };
  const ask = (method: string, uri: string) => perRequest(server.url).start(method, { uri });

  it.each([
    ['a method', DearSkills, 'skill://live'],
    ['the method of a class', DearSkill, 'skill://dear'],
  ])(
    'by @Concurrency() on %s, whichever way a dynamic skill is read (XTN-01) (OPS-04)',
    async (_what, type, root) => {
      await boot(type);
      const { gates } = server.app.get<DearSkills | DearSkill>(type);
      const reading = ask('resources/read', `${root}/SKILL.md`);
      await gates.at(`${root}/SKILL.md`).reached();
      expect(await ask('resources/directory/read', root).answer()).toMatchObject(REFUSED);
      gates.at(`${root}/SKILL.md`).open();
      await reading.result();
      const listing = ask('resources/directory/read', root);
      await gates.at(root).reached();
      expect(await ask('resources/read', `${root}/SKILL.md`).answer()).toMatchObject(REFUSED);
      gates.at(root).open();
      expect(await listing.result()).toMatchObject({ resources: [{ name: expect.any(String) }] });
    },
  );

  it('by @Concurrency() on a skill that is made once, which starts (XTN-01) (OPS-04)', async () => {
    await boot(MadeSkill);
    expect(await ask('resources/read', 'skill://made/SKILL.md').result()).toMatchObject({ contents: [{}] });
  });

  it('by @Throttle() on a skill that is made once, where a guard counts all handlers: none runs for it (XTN-01) (OPS-04)', async () => {
    await boot(ThrottledSkills, { provide: APP_GUARD, useClass: ThrottlerGuard });
    const uri = 'skill://made/SKILL.md';
    expect((await ask('resources/read', uri).answer()).status).toBe(200);
    expect(await ask('resources/read', uri).answer()).toMatchObject(REFUSED);
  });

  it.each([
    ['live', 'alone', []],
    ['made', 'alone', []],
    ['live', 'beside a tool that not all callers see', [HiddenTool]],
    ['made', 'beside a tool that not all callers see', [HiddenTool]],
  ])('by @Throttle() on the folders of the skill "%s" %s (XTN-01) (OPS-04)', async (name, _where, others) => {
    await boot(ThrottledSkills, ...others);
    const uri = `skill://${name}`;
    expect((await ask('resources/directory/read', uri).answer()).status).toBe(200);
    expect(await ask('resources/directory/read', uri).answer()).toMatchObject(REFUSED);
    expect(await ask('resources/read', `${uri}/SKILL.md`).answer()).toMatchObject(REFUSED);
    expect((await ask('skills/get', `${uri}/SKILL.md`).answer()).status).toBe(200);
  });
});
