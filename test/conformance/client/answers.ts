import type { Client } from '@modelcontextprotocol/client';

/** Has the server's forms accepted with what they propose. */
export function answerWithDefaults(client: Client): void {
  client.setRequestHandler('elicitation/create', async ({ params }) => {
    const { properties = {} } = ('requestedSchema' in params ? params.requestedSchema : {}) as Form;
    const proposed = Object.entries(properties).filter(([, { default: value }]) => value !== undefined);
    const content = Object.fromEntries(proposed.map(([name, { default: value }]) => [name, value]));
    return { action: 'accept', content: content as Record<string, string> };
  });
}

/** Has every question answered with yes. */
export function confirm(client: Client): void {
  client.setRequestHandler('elicitation/create', async () => ({
    action: 'accept',
    content: { confirmed: true },
  }));
}

interface Form {
  readonly properties?: { readonly [name: string]: { readonly default?: unknown } };
}
