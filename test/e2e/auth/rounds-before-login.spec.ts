import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Public, Tool, type McpContext } from 'nestjs-mcp';
import { z } from 'zod';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { authorize, bootDesk, CALLERS, textOf } from '../../support/applications/protected-desk.js';
import { perRequest } from '../../support/clients/json-rpc.js';

const DAY = z.object({ day: z.string() });

@Injectable()
class BookingTools {
  @Public()
  @Tool({ description: 'Asks which day, and then who asks' })
  async book(_arguments: object, context: McpContext): Promise<string> {
    const answer = await context.elicit({ key: 'day', message: 'Which day?', schema: DAY });
    context.auth.requireScope('desk:write');
    return `${JSON.stringify(answer)} for ${context.auth.claims?.sub}`;
  }
}

const CALL = { name: 'book', arguments: {} };
const ANSWERED = { inputResponses: { day: { action: 'accept', content: { day: 'Monday' } } } };

describe.each(ADAPTERS)(
  'A public handler that asks its user first and for a token then, on %s',
  (adapter) => {
    let desk: RunningApp;

    beforeAll(async () => {
      desk = await bootDesk(adapter, { providers: [BookingTools] });
    });

    afterAll(() => desk.close());

    const call = (params: object, token?: string) =>
      perRequest(desk.url, {
        headers: authorize(token),
        capabilities: { elicitation: { form: {} } },
      }).request('tools/call', { ...CALL, ...params });

    it('goes on with the answers once its caller has logged in (STEP-06) (REV-02)', async () => {
      const { result } = await call({});
      const round = { ...ANSWERED, requestState: result?.['requestState'] };
      expect(await call(round)).toMatchObject({ status: 401 });
      const known = await call(round, CALLERS.ada.token);
      expect(known.error).toBeUndefined();
      expect(textOf(known.result ?? {})).toContain('Monday');
      expect(textOf(known.result ?? {})).toContain('for ada');
    });

    it('keeps from others what a caller with a token has answered (REV-02)', async () => {
      const { result } = await call({}, CALLERS.ada.token);
      const round = { ...ANSWERED, requestState: result?.['requestState'] };
      for (const token of [CALLERS.bob.token, undefined]) {
        expect(await call(round, token)).toMatchObject({ error: { code: -32602 } });
      }
    });
  },
);
