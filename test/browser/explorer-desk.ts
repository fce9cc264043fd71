import { Injectable } from '@nestjs/common';
import { App, McpNotifier, Prompt, Resource, ResourceTemplate, Tool, type McpContext } from 'nestjs-mcp';
import { z } from 'zod';
import { Gates } from '../support/applications/gate.js';

const GREETING = z.object({
  name: z.string().min(2).describe('Whom to greet'),
  times: z.number().int().max(3).optional(),
  tone: z.enum(['plain', 'warm']).default('plain'),
  isLoud: z.boolean().optional(),
  tags: z.array(z.string()).optional(),
  place: z.object({ city: z.string().optional() }).optional(),
});

const Party = z.object({
  guests: z.number().int().describe('How many come'),
  isVegan: z.boolean().optional(),
});

/** A dot, as a picture. */
const DOT = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';

/** An app that says what it is told, calls a tool, and tries what it must not. */
const BOARD = `<!doctype html><title>Board</title><p id="said"></p><p id="kept"></p><button id="go">Go</button>
<script>
  let lastId = 0;
  const say = (place, text) => { document.getElementById(place).textContent = text; };
  const post = (message) => parent.postMessage({ jsonrpc: '2.0', ...message }, '*');
  const ask = (method, params) => new Promise((resolve) => {
    const id = ++lastId;
    addEventListener('message', ({ data }) => { if (data.id === id && !data.method) resolve(data); });
    post({ id, method, params });
  });
  addEventListener('message', ({ data }) => {
    if (data.method === 'ui/notifications/tool-result') say('said', data.params.content[0].text);
  });
  ask('ui/initialize', { protocolVersion: '2026-01-26', appInfo: { name: 'app', version: '1' }, appCapabilities: {} })
    .then(() => post({ method: 'ui/notifications/initialized', params: {} }));
  document.getElementById('go').addEventListener('click', async () => {
    const { result } = await ask('tools/call', { name: 'own', arguments: {} });
    say('said', result.content[0].text);
  });
  let tries = 'origin ' + self.origin;
  try { tries += ' reaches ' + parent.document.title; } catch { tries += ' stays outside'; }
  try { tries += ' keeps ' + sessionStorage.length; } catch { tries += ' keeps nothing'; }
  say('kept', tries);
</script>`;

/** Offers one of each kind of what the page shows. */
@Injectable()
export class ExplorerDesk {
  readonly gates = new Gates();
  readonly cancelled: string[] = [];
  stock = 3;

  constructor(private readonly notifier: McpNotifier) {}

  @Tool({ description: 'Greets somebody', inputSchema: GREETING, annotations: { readOnlyHint: true } })
  greet(given: z.infer<typeof GREETING>): string {
    return `Hello, ${JSON.stringify(given)}`;
  }

  @Tool({ description: 'Reports, and waits until the test opens its gate' })
  async wait(_given: object, context: McpContext): Promise<string> {
    context.signal.addEventListener('abort', () => this.cancelled.push('wait'));
    context.log('debug', 'the work begins');
    context.progress(1, 4, 'a quarter');
    await this.gates.at('work').pass(context.signal);
    return 'the work is done';
  }

  @Tool({ description: 'Shows its result in an app', ui: 'board' })
  show(): string {
    return 'shown by the app';
  }

  @Tool({ ui: { visibility: ['app'] } })
  own(): string {
    return 'called by the app';
  }

  @App()
  board(): string {
    return BOARD;
  }

  @Tool({ description: 'Asks how many come' })
  async book(_given: object, context: McpContext): Promise<string> {
    const answer = await context.elicit({ message: 'How many of you come?', schema: Party });
    return answer.action === 'accept'
      ? `a table for ${answer.content.guests}`
      : `not booked: ${answer.action}`;
  }

  @Tool({ description: 'Gives what could be mistaken for a page' })
  hostile() {
    return {
      content: [
        {
          type: 'text' as const,
          text: '<img src=x onerror="document.title=1"><script>document.title=2</script>',
        },
        { type: 'image' as const, data: DOT, mimeType: 'image/gif' },
        { type: 'image' as const, data: DOT, mimeType: 'text/html"><b>' },
        { type: 'resource_link' as const, uri: 'desk://stock', name: 'stock' },
      ],
    };
  }

  @Resource({ uri: 'desk://stock', description: 'What is there' })
  inStock(): string {
    return `${this.stock} chairs`;
  }

  @ResourceTemplate({ uriTemplate: 'desk://tickets/{id}' })
  ticket({ id }: { id: string }): string {
    return `ticket ${id}`;
  }

  @Prompt({ description: 'Warns', arguments: [{ name: 'what', description: 'Of what', required: true }] })
  warn({ what }: { what: string }): string {
    return `Write a warning of ${what}.`;
  }

  sell(): void {
    this.stock -= 1;
    this.notifier.resourceUpdated('desk://stock');
  }
}
