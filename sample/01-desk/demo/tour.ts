import type { Client } from '@modelcontextprotocol/client';
import type { Ticket } from '../tickets/ticket.js';
import { changeTicket } from './change-ticket.js';
import { watch } from './connect.js';
import { drawBar, say, show } from './terminal.js';

export async function listEverything(client: Client): Promise<void> {
  say('Tools, resources and prompts');
  const { tools } = await client.listTools();
  for (const { name, description = '' } of tools) show(name, description);
  const { resources } = await client.listResources();
  for (const { uri, description = '' } of resources) show(uri, description);
  const { resourceTemplates } = await client.listResourceTemplates();
  for (const { uriTemplate, description = '' } of resourceTemplates) show(uriTemplate, description);
  const { prompts } = await client.listPrompts();
  for (const { name, description = '' } of prompts) show(name, description);
}

export async function search(client: Client): Promise<void> {
  say('search_tickets: what is urgent and open?');
  const wanted = { priority: 'urgent', status: 'open' };
  const { tickets } = await call<{ tickets: Ticket[] }>(client, 'search_tickets', wanted);
  for (const { id, subject, customer } of tickets) show(id, `${subject} (${customer})`);
}

export async function audit(client: Client): Promise<void> {
  say('audit_desk: a long call that reports its progress');
  const { structuredContent } = await client.callTool(
    { name: 'audit_desk', arguments: {} },
    { onprogress: ({ progress, total = progress, message }) => drawBar(progress, total, message) },
  );
  const { audited, late } = structuredContent as { audited: number; late: { id: string; hours: number }[] };
  show(
    `${audited} audited, ${late.length} late: ${late.map(({ id, hours }) => `${id} by ${hours} h`).join(', ')}`,
  );
}

export async function openTicket(client: Client): Promise<string> {
  say('open_ticket');
  const { id, subject } = await call<Ticket>(client, 'open_ticket', {
    subject: 'Demo ticket, please ignore',
    description: 'Opened by the demo, which closes it again.',
    customer: 'ironbridge-cycles',
    priority: 'low',
  });
  show(id, subject);
  return id;
}

export async function complete(client: Client, id: string): Promise<void> {
  say('triage_ticket: a prompt, and completion of its argument "team"');
  const { completion } = await client.complete({
    ref: { type: 'ref/prompt', name: 'triage_ticket' },
    argument: { name: 'team', value: 'in' },
  });
  show('in…', completion.values.join(', '));
  const { messages } = await client.getPrompt({
    name: 'triage_ticket',
    arguments: { id, team: 'integrations' },
  });
  for (const { role, content } of messages) {
    show(
      `${role}, ${content.type}`,
      content.type === 'text' ? `${content.text.slice(0, 90)}…` : `about ${id}`,
    );
  }
}

export async function hearOfChange(client: Client, url: URL, id: string): Promise<void> {
  const uri = `desk://tickets/${id}`;
  say(`Subscribing to ${uri}`);
  const { changed, stop } = await watch(client, uri);
  const changer = await changeTicket(url, id);
  show(await changed, `was changed by ${changer}, and the database announced it`);
  const { contents } = await client.readResource({ uri });
  const { status, resolution } = JSON.parse((contents[0] as { text: string }).text) as Ticket;
  show('now', `${status}: ${resolution}`);
  await stop();
}

export async function closeAgain(client: Client, id: string): Promise<void> {
  say('close_ticket once more: an error that says what to do');
  const { isError, content } = await client.callTool({
    name: 'close_ticket',
    arguments: { id, resolution: 'Closed once more.' },
  });
  show(`isError: ${isError ?? false}`, content[0]?.type === 'text' ? content[0].text : '');
}

async function call<T>(client: Client, name: string, input: Record<string, unknown>): Promise<T> {
  const { isError, content, structuredContent } = await client.callTool({ name, arguments: input });
  if (isError) throw new Error(`"${name}" failed: ${JSON.stringify(content)}`);
  return structuredContent as T;
}
