/** Express and CommonJS with swagger on each route, whose plugin compiles DTOs, mapped types, unions, global guards and versions in URLs. */
const ada = { authorization: 'Bearer token-of-ada' };
const sam = { authorization: 'Bearer token-of-sam' };

export default {
  checks: ['build', 'test'],
  start: ['dist/main'],
  environment: (port) => ({ PORT: String(port) }),
  hidden: ['scrypt', '"payment"', '"lastDigits":', '"marginPercent"'],
  routeTools: {},
  calls: [
    { route: { path: '/docs-json' } },
    { route: { path: '/api/v1/orders' } },
    { route: { path: '/api/v2/orders/1', headers: sam } },
  ],
  operations: {
    document: '/docs-json',
    /** The last of them is unknown. */
    callers: [ada, sam, {}],
    headers: ['x-locale', 'idempotency-key'],
    differs: ['id', 'createdAt'],
  },
};
