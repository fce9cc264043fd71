// Speaks with the host: JSON-RPC by messages between frames. An app that is built by a bundler has `App` of "@modelcontextprotocol/ext-apps" instead.
globalThis.host = (() => {
  const waiting = new Map();
  const listeners = new Map();
  let lastId = 0;

  const send = (message) => parent.postMessage({ jsonrpc: '2.0', ...message }, '*');

  addEventListener('message', async ({ source, data }) => {
    if (source !== parent || data?.jsonrpc !== '2.0') return;
    if (data.method === undefined) {
      const { resolve, reject } = waiting.get(data.id) ?? {};
      waiting.delete(data.id);
      if (data.error) reject?.(new Error(data.error.message));
      else resolve?.(data.result);
      return;
    }
    const result = await listeners.get(data.method)?.(data.params);
    if (data.id !== undefined) send({ id: data.id, result: result ?? {} });
  });

  const request = (method, params) =>
    new Promise((resolve, reject) => {
      const id = ++lastId;
      waiting.set(id, { resolve, reject });
      send({ id, method, params });
    });

  return {
    on: (method, listener) => listeners.set(method, listener),
    callTool: (name, args) => request('tools/call', { name, arguments: args }),
    tell: (text) => request('ui/update-model-context', { content: [{ type: 'text', text }] }),
    /** Shakes hands; the host sends nothing before. */
    connect: async () => {
      const { hostContext = {} } = await request('ui/initialize', {
        protocolVersion: '2026-01-26',
        appInfo: { name: 'board', version: '1.0.0' },
        appCapabilities: {},
      });
      for (const [name, value] of Object.entries(hostContext.styles?.variables ?? {})) {
        document.documentElement.style.setProperty(name, value);
      }
      send({ method: 'ui/notifications/initialized', params: {} });
    },
  };
})();
