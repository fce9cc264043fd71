/** A workspace with Fastify, CommonJS, nestjs-cls, pino, a throttler, Socket.IO, an envelope around answers and Jest settings of its own. */
const rooms = '/api/rooms';
const actor = { 'x-actor': 'ada' };
const create = { path: rooms, method: 'POST', headers: actor };

export default {
  folder: 'apps/server',
  checks: ['build', 'test', 'test:e2e'],
  start: ['dist/main'],
  environment: (port) => ({ PORT: String(port) }),
  initSays: [/127\.0\.0\.1:3100\/mcp/, /The global prefix 'api' does not apply/],
  unwrap: ({ data }) => data,
  routeTools: { list_rooms: 'rooms_list', get_room: 'rooms_get', create_room: 'rooms_create' },
  calls: [
    { tool: 'list_rooms', route: { path: rooms }, differs: ['id'] },
    { tool: 'get_room', arguments: { slug: 'lobby' }, route: { path: `${rooms}/lobby` } },
    { tool: 'get_room', arguments: { slug: 'attic' }, route: { path: `${rooms}/attic` } },
    { tool: 'create_room', arguments: { slug: 'tea' }, headers: actor, matches: /tea/, isOnce: true },
    { tool: 'create_room', arguments: { slug: 'lobby' }, route: { ...create, body: { slug: 'lobby' } } },
    { tool: 'say', arguments: { slug: 'lobby', text: 'Hi' }, headers: actor, matches: /ada: Hi/ },
  ],
  logSays: [/"url":"\/mcp"/],
};
