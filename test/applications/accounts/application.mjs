/** Express and CommonJS with TypeORM, Passport, nestjs-i18n, class-validator, a global serializer, a prefix and versions in URLs. */
const users = '/api/v1/users';
const byAda = { email: 'Ada@example.com', password: 'long enough', name: 'Somebody' };

export default {
  checks: ['build', 'test', 'test:e2e'],
  start: ['dist/main.js'],
  environment: (port) => ({ APP_PORT: String(port) }),
  signIn: async (url) => {
    const response = await fetch(`${url}/api/v1/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'ada@example.com', password: 'Analytical' }),
    });
    const { token } = await response.json();
    return { authorization: `Bearer ${token}` };
  },
  hidden: ['Analytical', 'Bombe-1940'],
  routeTools: { list_users: 'users_list', create_user: 'users_create', open_user: 'users_open' },
  calls: [
    { tool: 'open_user', arguments: { id: 2 }, route: { path: `${users}/2` } },
    { tool: 'list_users', arguments: { limit: 2 }, route: { path: `${users}?limit=2` } },
    { tool: 'open_user', arguments: { id: 9 }, route: { path: `${users}/9` } },
    {
      tool: 'open_user',
      arguments: { id: 9 },
      route: { path: `${users}/9`, headers: { 'accept-language': 'de' } },
    },
    {
      tool: 'open_user',
      arguments: { id: 2 },
      route: { path: `${users}/2`, headers: { authorization: 'Bearer none' } },
    },
    {
      tool: 'create_user',
      arguments: byAda,
      route: { path: users, method: 'POST', body: byAda },
    },
    { tool: 'find_user', arguments: { email: 'alan@example.com' }, matches: /AT/ },
  ],
};
