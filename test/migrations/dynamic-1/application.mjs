/** 1.x with `forRootAsync()` and its controller, handlers that are added, and a second server with `forFeature()`. */
const key = { 'x-api-key': 'open sesame' };

export default {
  endpoints: [
    {
      path: '/catalog/mcp',
      callers: { nobody: {}, editor: key },
      calls: [
        ['find-book', { title: 'Emma' }],
        ['search-collection', { query: 'sea' }],
        ['search-collection', { query: 'sea', collection: 'none' }, true],
        ['statistics', {}],
        ['publish', { title: 'Emma' }],
        ['unpublish', {}],
        ['old-tool', {}],
      ],
      resources: ['catalog://rules'],
      prompts: [['summarize', { title: 'Emma' }]],
    },
    { path: '/loans/mcp', calls: [['list-loans', {}]] },
  ],
  left: [],
};
