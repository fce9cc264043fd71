/** 2.x with handlers that are added in several modules, and a second server. */
export default {
  endpoints: [
    {
      path: '/mcp',
      calls: [
        ['find-book', { title: 'Emma' }],
        ['search-collection', { query: 'sea', collection: 'poems' }],
        ['statistics', {}],
        ['publish', {}],
        ['tenant', {}],
        ['external-tool', {}],
        ['gone', {}],
      ],
      resources: ['catalog://rules'],
      prompts: [['summarize', { title: 'Emma' }]],
    },
    { path: '/loans/mcp', calls: [['list-loans', {}]] },
  ],
  left: [],
};
