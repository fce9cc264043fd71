/** 2.x with sessions, a guard and an interceptor of handlers, `RpcException`, and tests that mock the context. */
export default {
  endpoints: [
    {
      path: '/greetings/mcp',
      callers: { nobody: {}, acme: { 'x-tenant': 'acme' } },
      calls: [
        ['greet', { name: 'Ada', language: 'es' }],
        ['greet', {}],
        ['greet-structured', { name: 'Ada', language: 'en' }],
        ['refuse', {}],
        ['which-tenant', {}],
      ],
      resources: ['greetings://languages', 'greetings://words/es'],
      prompts: [['introduce', { name: 'Ada' }]],
    },
  ],
  left: [],
};
