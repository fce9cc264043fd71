/** 2.x with a guarded controller of the endpoint and its middleware, scopes, roles, and public tools. */
import { signToken } from '../sign-token.mjs';

const as = (claims) => ({ authorization: signToken({ sub: 'ada', name: 'Ada', ...claims }) });

export default {
  endpoints: [
    {
      path: '/clinic/mcp',
      callers: {
        nobody: {},
        wrong: { authorization: 'Bearer wrong' },
        reader: as({ scope: 'records:write' }),
        doctor: as({ scope: 'records:write records:delete', roles: ['doctor'] }),
        admin: as({ scopes: ['admin'] }),
      },
      calls: [
        ['opening-hours', {}],
        ['who-am-i', {}],
        ['delete-record', { id: 'r1' }],
        ['report', {}],
      ],
    },
  ],
  left: [],
};
