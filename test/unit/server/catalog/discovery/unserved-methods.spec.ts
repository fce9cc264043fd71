import { afterEach, describe, expect, it } from '@jest/globals';
import { Controller, Get, Injectable, Logger, type Type } from '@nestjs/common';
import { EventSource, Tool } from '../../../../../lib/server/decorators/handler.decorators.js';
import { Public, RequireScope } from '../../../../../lib/server/decorators/access.decorators.js';
import { RecordedLog } from '../../../../support/records/recorded-log.js';
import { bootCatalog } from '../boot-catalog.js';

@Injectable()
class Desk {
  @Tool()
  @RequireScope('desk:read')
  list() {}

  @RequireScope('desk:write')
  close() {}

  @Public()
  hours() {}

  plain() {}

  @EventSource()
  @RequireScope('desk:read')
  changed() {}
}

@Controller()
@RequireScope('desk:read')
class DeskController {
  @Tool()
  open() {}

  @Get()
  @RequireScope('desk:write')
  index() {}
}

@Injectable()
class Elsewhere {
  @RequireScope('desk:read')
  answer() {}
}

describe('A method beside handlers that is decorated like one', () => {
  afterEach(() => Logger.overrideLogger(false));

  async function warn(options: { readonly providers?: Type[]; readonly controllers?: Type[] }) {
    const log = new RecordedLog();
    // Before that, an application that is created without a logger silences all.
    const { app } = await bootCatalog({ ...options, configure: () => Logger.overrideLogger(log) });
    await app.close();
    return log.find('warn');
  }

  it('is warned of where nobody can call it, with what to do (MOD-11) (STEP-06)', async () => {
    const fault =
      'declares who may call it, but is not a handler: add a decorator such as @Tool(), or remove @RequireScope() and @Public() Mcp';
    expect(await warn({ providers: [Desk] })).toEqual([`"Desk.close" ${fault}`, `"Desk.hours" ${fault}`]);
  });

  it('is not where it is a route, or the class has no handler (MOD-11) (STEP-06)', async () => {
    expect(await warn({ providers: [Elsewhere], controllers: [DeskController] })).toEqual([]);
  });
});
