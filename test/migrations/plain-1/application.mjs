/** 1.x with sessions, HTTP+SSE, prefixes, progress, elicitation, filters, request scope, and tests that mock the context. */
export default {
  endpoints: [
    {
      path: '/api/v1/clinic',
      callers: { nobody: {}, acme: { 'x-tenant': 'acme' } },
      calls: [
        ['find-visits', { patient: 'Ada' }],
        ['book-visit', { hour: 10 }],
        ['book-visit', { hour: 9 }],
        ['move-visit', { id: 'v1' }],
        ['which-tenant', {}],
      ],
      resources: ['clinic://hours', 'clinic://visits/v2'],
      prompts: [['remind', { patient: 'Ada' }]],
    },
  ],
  left: [/^src\/visits\.tool\.ts: Ask the user with "elicit/],
};
