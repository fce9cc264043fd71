import { Logger } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createScopeLog } from '../../../../../lib/server/auth/access/scope-log.js';
import { RecordedLog } from '../../../../support/records/recorded-log.js';

let log: RecordedLog;

beforeEach(() => {
  log = new RecordedLog();
  Logger.overrideLogger(log);
});

afterEach(() => Logger.overrideLogger(false));

describe('The log of tokens that do not allow enough', () => {
  it.each([
    [
      ['desk:read', 'desk:write'],
      ['desk:read', 'desk:use'],
      'the scopes "desk:read desk:use", expected the scopes "desk:read desk:write"',
    ],
    [['desk:write'], [], 'no scopes, expected the scopes "desk:write"'],
    [[], ['desk:read'], 'the scopes "desk:read", expected no scopes'],
  ])('says what %j would have needed, of %j (AUTH-19)', (needed, held, told) => {
    createScopeLog()({ needed, held });
    expect(log.lines).toEqual([
      { level: 'debug', text: `A request was refused: its token has ${told} McpAuth` },
    ]);
  });
});
