/** 1.x with its authorization server and guard, scopes, roles, public tools, and guards of one tool. */
import { signToken } from '../sign-token.mjs';

const as = (claims) => ({ authorization: signToken({ sub: 'ada', ...claims }) });

export default {
  endpoints: [
    {
      path: '/mcp',
      callers: {
        nobody: {},
        wrong: { authorization: 'Bearer wrong' },
        reader: as({ scope: 'records:write' }),
        writer: as({ scope: 'records:write records:delete premium' }),
        auditor: as({ user_data: { username: 'Ada', roles: ['auditor'] } }),
      },
      calls: [
        ['opening-hours', {}],
        ['who-am-i', {}],
        ['delete-record', { id: 'r1' }],
        ['audit', {}],
        ['search', {}],
      ],
    },
    {
      path: '/mcp',
      callers: { staff: as({ user_data: { staff: true } }) },
      calls: [['payroll', {}]],
    },
  ],
  left: [
    /^src\/app\.module\.ts: The authorization server stays/,
    /^src\/login\.provider\.ts: The authorization server stays/,
  ],
  /** A guard of one tool hides it from lists no more. */
  listsMore: ['payroll'],
};
